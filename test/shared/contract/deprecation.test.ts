import { describe, expect, it } from 'vitest';
import { deprecationHeaders, getPetDeprecation } from '../../../shared/contract/deprecation.ts';

describe('the deprecation of getPet', () => {
  it('is announced as of release 1.0.0, for 5 December 2030', () => {
    expect(deprecationHeaders(getPetDeprecation, 'https://pets.example/v1/pets')).toEqual({
      Deprecation: '@1795132800',
      Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      Link: '<https://pets.example/v1/pets>; rel="successor-version"',
    });
  });
});
