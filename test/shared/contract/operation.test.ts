import { expect, it } from 'vitest';
import type { Operation } from '../../../shared/contract/operation.ts';
import { operations } from '../../../shared/service.ts';

const all = Object.values<Operation>(operations);
const deprecations = all.flatMap(({ operationId, deprecation }) =>
  deprecation ? [{ operationId, ...deprecation }] : [],
);

it('an operation ends a year after its deprecation at the earliest', () => {
  for (const { operationId, since, sunset } of deprecations) {
    const aYearLater = new Date(since);
    aYearLater.setUTCFullYear(aYearLater.getUTCFullYear() + 1);

    expect(Date.parse(sunset), operationId).toBeGreaterThanOrEqual(aYearLater.getTime());
  }
});

it('a deprecation has instants of whole seconds, as its headers do', () => {
  for (const { operationId, since, sunset } of deprecations) {
    for (const text of [since, sunset]) {
      expect(new Date(text).toISOString(), operationId).toBe(text.replace('Z', '.000Z'));
    }
  }
});

it('a successor is the path of an operation that lives longer, which a link can fill in', () => {
  for (const { operationId, sunset, successor } of deprecations) {
    const living = all.filter(({ deprecation }) => !deprecation || deprecation.sunset > sunset);
    const paths = living.map(({ path }) => path).filter((path) => !path.includes('{'));

    if (successor !== undefined) expect(paths, operationId).toContain(successor);
  }
});
