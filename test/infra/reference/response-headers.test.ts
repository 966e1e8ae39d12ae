import { describe, expect, it } from 'vitest';
import { deprecatedResponse, exampleAt } from '../../../infra/reference/response-headers.ts';
import { getPet } from '../../../shared/contract/operations.ts';

describe('the headers of a deprecated operation', () => {
  const dates = { since: '2026-01-01T00:00:00Z', sunset: '2099-12-31T00:00:00Z' };

  it('link to the successor of its example', () => {
    const deprecation = { ...dates, successor: '/animals/{petId}' } as const;
    const parameters = { path: { petId: { ...getPet.parameters.path.petId, example: 12n } } };

    const { Link } = deprecatedResponse({ ...getPet, parameters, deprecation });

    const example = Link && exampleAt('https://pets.example/v1', Link.example);
    expect(example).toBe('<https://pets.example/v1/animals/12>; rel="successor-version"');
  });

  it('have no link without a successor', () => {
    const headers = deprecatedResponse({ ...getPet, deprecation: dates });

    expect(Object.keys(headers)).toEqual(['Deprecation', 'Sunset']);
  });
});
