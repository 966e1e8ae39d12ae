import fc from 'fast-check';
import { parseJson, stringifyJson } from '../../shared/contract/json.ts';
import { PetStatus } from '../../shared/pets/pet.ts';
import { codePoint } from '../../test/support/fuzz/code-point.ts';
import { hostileRequests } from '../../test/support/fuzz/hostile-requests.ts';
import { get, type HttpRequest, latin1 } from '../../test/support/http/http-request.ts';
import { type History, keyHeader, type Side } from './history.ts';
import {
  categoryIds,
  names,
  oddCursors,
  oddLimits,
  oddRequests,
  oddStatuses,
  post,
  statuses,
} from './odd-requests.ts';

/** Returns the requests that a step sends to a side; none if it refers to answers that there are not yet. */
export type Step = (history: History, side: Side) => readonly HttpRequest[];

const status = fc.constantFrom(...PetStatus.options);
/** An `Idempotency-Key` without quotes around it. */
const key = fc.oneof(fc.uuid(), fc.stringMatching(/^[!#-~][!-~]{8,30}$/));

const usualQuery = fc.record({ limit: fc.integer({ min: 1, max: 100 }), status }, { requiredKeys: [] });
const oddQuery = fc.record(
  {
    limit: fc.constantFrom(...oddLimits),
    status: fc.constantFrom(...oddStatuses),
    cursor: fc.constantFrom(...oddCursors),
    unknown: fc.constantFrom('', '1'),
  },
  { requiredKeys: [] },
);
const list = fc
  .oneof({ weight: 2, arbitrary: usualQuery }, { weight: 1, arbitrary: oddQuery })
  .map((query) => Object.entries(query).map((parameter) => parameter.join('=')))
  .map((parameters) => get(`/v1/pets?${parameters.join('&')}`));

/** A pet, perhaps an invalid one, as JSON. */
const newPet = fc
  .record(
    {
      name: fc.oneof(
        fc.constantFrom(...names),
        fc.string({ unit: codePoint, maxLength: 20 }).map((name) => stringifyJson(name)),
      ),
      categoryId: fc.oneof(
        fc.constantFrom(...categoryIds),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
      ),
      status: fc.constantFrom(...statuses),
      id: fc.constantFrom('1', '"x"'),
      tags: fc.constantFrom('[]', '["calm"]'),
    },
    { requiredKeys: ['name', 'categoryId'] },
  )
  .map((fields) => latin1(`{${Object.entries(fields).map(([field, value]) => `"${field}":${value}`)}}`));
/** Returns the same JSON with its keys in another order. */
export function rewritten(content: string): string {
  const body = parseJson(Buffer.from(content, 'latin1').toString());
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  return latin1(stringifyJson(isObject ? Object.fromEntries(Object.entries(body).reverse()) : body, 1));
}

/** A pet that any version should accept. */
export const validPet = fc
  .record({ name: fc.string({ unit: 'grapheme-ascii', maxLength: 20 }), status })
  .map((fields) => stringifyJson({ name: `x${fields.name}`, categoryId: 1, status: fields.status }));

/** Requests that refer to nothing. */
const independent: fc.Arbitrary<readonly HttpRequest[]> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(newPet, key).map(([pet, id]) => [post(pet, id)]) },
  { weight: 2, arbitrary: fc.tuple(validPet, key).map(([pet, id]) => [post(pet, id)]) },
  { weight: 5, arbitrary: list.map((request) => [request]) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(hostileRequests, fc.infiniteStream(key))
      .map(([requests, keys]) =>
        requests.filter(isForApi).map((request) => withIdempotencyKey(request, keys)),
      ),
  },
);

/** Other paths have only pages of the local API. */
const isForApi = ({ requestLine }: HttpRequest) => /^[A-Z]+ \/v1/.test(requestLine);

/** Without a key, both versions would choose random ids, and list their pets in another order. */
function withIdempotencyKey(request: HttpRequest, keys: Iterator<string>): HttpRequest {
  if (!request.requestLine.startsWith('POST ')) return request;
  return { ...request, headers: [...request.headers, keyHeader + keys.next().value] };
}

const nth = <T>(values: readonly T[], index: number): T | undefined => values[index % values.length];

/** What may be done to an id or to the target of a link. */
const idChange = fc.constantFrom(
  (id: string) => id,
  (id: string) => `${id}/`,
  (id: string) => `0${id}`,
  (id: string) => `${id}%20`,
);
const targetChange = fc.constantFrom(
  (target: string) => target,
  (target: string) => target,
  (target: string) => target.replace(/limit=\d+/, 'limit=3'),
  (target: string) => target.replace('limit=', 'x='),
  (target: string) => `${target}&status=sold`,
  (target: string) => `${target}A`,
  (target: string) => target.slice(0, -1),
  (target: string) => target.replace(/cursor=(.)/, 'cursor=$1$1'),
);

const bodyChange = fc.oneof(
  fc.constantFrom((content: string) => content, rewritten),
  newPet.map((content) => () => content),
);

/** Returns a key in the quoted form, which is equivalent. */
const quoted = (key: string) => (key.startsWith('"') ? key : `"${key.replaceAll(/["\\]/g, '\\$&')}"`);

/** Requests that follow from answers. */
const dependent: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.nat(), idChange).map(
    ([index, change]): Step =>
      ({ creations }, side) => {
        const creation = nth(creations, index);
        return creation ? [get(`/v1/pets/${change(creation.ids[side])}`)] : [];
      },
  ),
  fc.tuple(fc.nat(), targetChange).map(
    ([index, change]): Step =>
      ({ nextPages }, side) => {
        const targets = nth(nextPages, index);
        return targets ? [get(change(targets[side]))] : [];
      },
  ),
  fc.tuple(fc.nat(), bodyChange, fc.boolean()).map(
    ([index, change, isQuoted]): Step =>
      ({ creations }) => {
        const creation = nth(creations, index);
        if (creation?.key === undefined) return [];
        return [post(change(creation.content), isQuoted ? quoted(creation.key) : creation.key)];
      },
  ),
);

/** Returns the steps of a comparison: every odd request, and then generated ones. A seed gives the same steps. */
export const stepsOf = (seed: number, count: number): Step[] => [
  ...oddRequests.map((request) => always([request])),
  ...fc.sample(step, { seed, numRuns: count }),
];

function always(requests: readonly HttpRequest[]): Step {
  return () => requests;
}

const step = fc.oneof({ weight: 3, arbitrary: independent.map(always) }, { weight: 1, arbitrary: dependent });
