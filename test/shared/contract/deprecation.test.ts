import { describe, expect, it } from 'vitest';
import type { Deprecation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/service.ts';
import { deprecationMistakes } from '../../support/contract/deprecation-mistakes.ts';

it('each deprecation gives a year, in instants, and names a successor that lives longer', () => {
  expect(deprecationMistakes(operations)).toEqual([]);
});

describe('a deprecation', () => {
  const dates = { since: '2027-01-15T00:00:00Z', sunset: '2028-01-15T00:00:00Z' };
  const successor = '/games';
  const mistakes = (deprecation: Deprecation, ofSuccessor?: Deprecation) =>
    deprecationMistakes({
      getToy: { path: '/toys/{toyId}', deprecation },
      listGames: { path: '/games', ...(ofSuccessor && { deprecation: ofSuccessor }) },
    });

  it('may end a year later, at any time', () => {
    expect(mistakes({ ...dates, successor })).toEqual([]);
    expect(mistakes({ since: '1999-01-01T00:00:00Z', sunset: '2000-01-01T00:00:00Z', successor })).toEqual(
      [],
    );
    expect(mistakes({ since: '9998-01-01T00:00:00Z', sunset: '9999-01-01T00:00:00Z', successor })).toEqual(
      [],
    );
  });

  it.each([
    ['2028-01-14T23:59:59Z', 'within a year'],
    ['2027-01-15T00:00:00Z', 'at once'],
    ['2026-12-31T00:00:00Z', 'before it began'],
  ])('may not end on %s, %s', (sunset) => {
    expect(mistakes({ ...dates, sunset, successor })).toEqual([
      'getToy: sunset must be 2028-01-15T00:00:00Z or later, a year after since.',
    ]);
  });

  it.each([
    '2028-01-15',
    '15 January 2028',
    '2028-02-30T00:00:00Z',
    '2028-13-01T00:00:00Z',
    '2028-01-15T00:00:00',
    '2028-01-15T00:00:00+01:00',
    '2028-01-15T00:00:00.5Z',
    '',
  ])('may not end on %j', (sunset) => {
    expect(mistakes({ ...dates, sunset, successor })).toEqual([
      'getToy: sunset must be an instant such as 2030-12-05T00:00:00Z.',
    ]);
  });

  it('may not begin on a text', () => {
    expect(mistakes({ ...dates, since: 'today', successor })).toEqual([
      'getToy: since must be an instant such as 2030-12-05T00:00:00Z.',
    ]);
  });

  const noSuccessor = ['getToy: successor must be the path of another operation, which ends later or never.'];

  it.each(['/game', '/v1/games', '/toys'] as const)('may not have the successor %s', (path) => {
    expect(mistakes({ ...dates, successor: path })).toEqual(noSuccessor);
  });

  it('needs no successor', () => {
    expect(mistakes(dates)).toEqual([]);
  });

  it('may not have a successor with a path parameter, which a link could not fill in', () => {
    const deprecation = { ...dates, successor: '/dolls/{toyId}' } as const;

    const found = deprecationMistakes({
      getToy: { path: '/toys/{toyId}', deprecation },
      getDoll: { path: '/dolls/{toyId}' },
    });

    expect(found).toEqual(['getToy: successor may not have a parameter in its path.']);
  });

  it('may not have a successor that ends first', () => {
    const longer = { ...dates, sunset: '2029-01-01T00:00:00Z' };

    expect(mistakes({ ...longer, successor }, dates)).toEqual(noSuccessor);
    expect(mistakes({ ...dates, successor }, longer)).toEqual([]);
  });
});
