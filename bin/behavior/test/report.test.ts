import { expect, it } from 'vitest';
import { create, createPath, list, path } from '../../../test/support/contract/own-operations.ts';
import { get } from '../../../test/support/http/http-request.ts';
import { post } from '../odd-requests.ts';
import { Report } from '../report.ts';

const limitError = '{"code":"invalid_query","message":"x","status":400}';
const names = ['1234567', 'the working tree'] as const;

it('says that there are no differences', () => {
  const report = new Report();
  const answer = { status: 200, headers: {}, body: '[]' };
  report.add({ tables: '', request: get(`/v1${path}`), answers: [answer, answer] });

  expect(report.text(names, 3)).toBe('1234567 and the working tree answer all 1 requests alike.\n');
  expect(report.differentCount).toBe(0);
});

it('prints the shortest requests of each kind, with both answers', () => {
  const report = new Report();
  const rejected = { status: 400, headers: {}, body: limitError };
  const accepted = { status: 200, headers: {}, body: '[]' };
  for (const query of ['?limit=0100', '?limit=01', '?limit=020']) {
    report.add({ tables: '', request: get(`/v1${path}${query}`), answers: [rejected, accepted] });
  }
  const created = { status: 201, headers: {}, body: '{"name":"B\u00c3\u00a9la "}' };
  const trimmed = { status: 201, headers: { 'x-new': '1' }, body: '{"name":"B\u00c3\u00a9la"}' };
  report.add({ tables: '', request: post('{"name":"B\u00c3\u00a9la "}', 'k'), answers: [created, trimmed] });

  expect(
    report.text(names, 2),
  ).toBe(`1234567 and the working tree answer 4 of 4 requests differently, in 3 ways.

1. GET ${list.path}: 400 invalid_query became 200 (3 requests)

   GET /v1${path}?limit=01

   1234567: 400
   {"code":"invalid_query","message":"x","status":400}

   the working tree: 200
   []

   GET /v1${path}?limit=020

   1234567: 400
   {"code":"invalid_query","message":"x","status":400}

   the working tree: 200
   []

2. header x-new was added (1 request)

   POST /v1${createPath}
   Content-Type: application/json
   Idempotency-Key: k

   {"name":"Béla "}

   1234567: 201
   x-new: (none)
   {"name":"Béla "}

   the working tree: 201
   x-new: 1
   {"name":"Béla"}

3. POST ${create.path}, 201: body.name changed (1 request)

   POST /v1${createPath}
   Content-Type: application/json
   Idempotency-Key: k

   {"name":"Béla "}

   1234567: 201
   {"name":"Béla "}

   the working tree: 201
   {"name":"Béla"}
`);
});

it('escapes control characters of requests and answers', () => {
  const report = new Report();
  const answers = [
    { status: 200, headers: {}, body: '\u001b[2J' },
    { status: 200, headers: {}, body: '' },
  ] as const;
  report.add({ tables: '', request: get(`/v1${path}?\u0007`), answers });

  expect(report.text(names, 1)).toContain(`GET /v1${path}?\\u0007`);
  expect(report.text(names, 1)).toContain('\\u001b[2J');
});
