import ky from 'ky';
import { describe, expect, it } from 'vitest';
import { UnexpectedResponseError } from '../../../bin/catalogue/api.ts';
import { explainFailure } from '../../../bin/catalogue/explain-failure.ts';

const baseUrl = 'http://pets.example/v1';

/** What ky throws when fetch does this. */
async function failureOf(fetch: () => Promise<Response>): Promise<unknown> {
  try {
    return await ky(baseUrl, { fetch, retry: 0, timeout: 10 });
  } catch (error) {
    return error;
  }
}

describe('the explanation of a failure', () => {
  it.each([
    [401, 'The API does not accept the key: set API_KEY to a good one.'],
    [404, 'There is no pet store at http://pets.example/v1: check --base-url.'],
    [429, 'The API keeps answering 429: try again later.'],
    [503, 'The API keeps answering 503: try again later.'],
  ])('says of a %i what to do', async (status, explanation) => {
    const failure = await failureOf(async () => new Response(null, { status }));

    expect(explainFailure(failure, baseUrl)).toBe(explanation);
  });

  it('says what to do when there is no answer in time', async () => {
    const failure = await failureOf(() => new Promise(() => undefined));

    expect(explainFailure(failure, baseUrl)).toBe('The API does not answer in time: try again later.');
  });

  it('says what to do when there is no API', async () => {
    const failure = await failureOf(() => fetch('http://127.0.0.1:1/v1'));

    expect(explainFailure(failure, baseUrl)).toBe(
      'No API answers at http://pets.example/v1: start it, or give its --base-url.',
    );
  });

  it('says what to do when another service answers', () => {
    expect(explainFailure(new UnexpectedResponseError(), baseUrl)).toBe(
      'There is no pet store at http://pets.example/v1: check --base-url.',
    );
  });

  it('is the message of any other error', () => {
    expect(explainFailure(new Error('There is no such file.'), baseUrl)).toBe('There is no such file.');
    expect(explainFailure('Nothing works.', baseUrl)).toBe('Nothing works.');
  });
});
