import { expect, it } from 'vitest';
import { list, path } from '../../../test/support/contract/own-operations.ts';
import { get } from '../../../test/support/http/http-request.ts';
import type { RawResponse } from '../../../test/support/http/send-bytes.ts';
import { compareAnswers } from '../compare-answers.ts';

const answer = (status: number, body: string): RawResponse => ({ status, headers: {}, body });
const error = (message: string) =>
  answer(400, `{"code":"invalid_query","message":${JSON.stringify(message)},"status":400}`);
const titles = (target: string, base: RawResponse, head: RawResponse) =>
  compareAnswers(get(target), [base, head]).map(({ title }) => title);

const malformed = answer(400, '{"code":"invalid_json","message":"x","status":400}');

it.each([
  [`GET ${list.path}: 400 invalid_query became 400 invalid_json`, `/v1${path}/`, error('x'), malformed],
  ['GET another path: 404 became no answer', '/v1/no-such-path', answer(404, ''), answer(0, '')],
])('says only that %s', (title, target, base, head) => {
  expect(titles(target, base, head)).toEqual([title]);
});

it.each([
  ['body[].name changed', '[{"id":1,"name":"a "}]', '[{"id":1,"name":"a"}]'],
  ['body[].tags was added', '[{"id":1}]', '[{"id":1,"tags":[]}]'],
  ['body[].tags was removed', '[{"id":1,"tags":[]}]', '[{"id":1}]'],
  ['body has another number of items', '[1,2]', '[1]'],
  ['body has other items', '[{"id":1,"name":"a"},{"id":2}]', '[{"id":2},{"id":1,"name":"a"}]'],
  ['body.id changed', '{"id":9007199254740993}', '{"id":9007199254740992}'],
  ['body is written in another way', '[1]', '[ 1 ]'],
  ['body changed', '[1]', '<p>'],
])('says that %s', (change, before, after) => {
  expect(titles(`/v1${path}`, answer(200, before), answer(200, after))).toEqual([
    `GET ${list.path}, 200: ${change}`,
  ]);
});

it('tells messages apart, but not by their numbers', () => {
  const kinds = [
    ['line 1', 'Line 1'],
    ['line 2', 'Line 2'],
    ['a line', 'no line'],
  ].map(
    ([before = '', after = '']) => compareAnswers(get(`/v1${path}`), [error(before), error(after)])[0]?.kind,
  );

  expect(kinds[0]).toBe(kinds[1]);
  expect(kinds[0]).not.toBe(kinds[2]);
});
