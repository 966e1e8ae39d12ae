import { describe, expect, it, vi } from 'vitest';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { exampleNewPet, examplePet } from '../../../shared/pets/operations.ts';
import { HttpClient } from '../../cli/calls/http-client.ts';
import { respond, type StubResponse, startStubApi } from '../../cli/test/support/stub-api.ts';
import { createOnce, readPages } from '../api-calls.ts';

async function clientOf(...responses: readonly StubResponse[]) {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { baseUrl, requests } = await startStubApi(...responses);
  return { http: new HttpClient({ baseUrl, apiKey: 'secret' }), requests };
}

const replayed = respond(201, stringifyJson(examplePet), { 'Idempotency-Replayed': 'true' });

describe('createOnce', () => {
  it('says of a pet that existed that it was replayed', async () => {
    const { http, requests } = await clientOf(replayed);

    expect(await createOnce(http, exampleNewPet, 'row-1')).toBe('replayed');
    expect(requests).toMatchObject([{ url: '/v1/pets', idempotencyKey: 'row-1' }]);
  });

  it('counts a pet as created that an attempt without a response may have created', async () => {
    const { http } = await clientOf(respond(503, ''), replayed);

    expect(await createOnce(http, exampleNewPet, 'row-1')).toBe('created');
  });
});

describe('readPages', () => {
  const page = (id: bigint, cursor?: string) =>
    respond(
      200,
      stringifyJson([{ ...examplePet, id, status: 'lost' }]),
      cursor === undefined ? {} : { Link: `</v1/pets?cursor=${cursor}>; rel="next"` },
    );

  it('reads a page after another with the same status, whatever status a pet has', async () => {
    const { http, requests } = await clientOf(page(1n, 'x'), page(2n, 'y'), page(3n));

    const pages = await Array.fromAsync(readPages(http, 'sold'));

    expect(pages).toMatchObject([[{ id: 1n }], [{ id: 2n }], [{ id: 3n, status: 'lost' }]]);
    expect(requests.map(({ url }) => url)).toStrictEqual([
      '/v1/pets?limit=100&status=sold',
      '/v1/pets?limit=100&status=sold&cursor=x',
      '/v1/pets?limit=100&status=sold&cursor=y',
    ]);
  });

  it('fails at a link that leads back', async () => {
    const { http, requests } = await clientOf(page(1n, 'x'), page(2n, 'y'), page(3n, 'x'));

    await expect(Array.fromAsync(readPages(http))).rejects.toMatchObject({ code: 'unexpected_response' });
    expect(requests).toHaveLength(3);
  });
});
