import { expect, it } from 'vitest';
import type { RawResponse } from '../../support/local/send-bytes.ts';
import { Names } from './normalize.ts';

const created = (id: string, port: number): RawResponse => ({
  status: 201,
  headers: {
    date: `Mon, ${port}`,
    'x-amzn-requestid': id,
    'content-length': `${`{"id":${id}}`.length}`,
    location: `http://127.0.0.1:${port}/v1/pets/${id}`,
  },
  body: `{"id":${id}}`,
});
const listed = (body: string, cursor: string): RawResponse => ({
  status: 200,
  headers: { link: `<http://127.0.0.1/v1/pets?limit=1&cursor=${cursor}>; rel="next"` },
  body,
});

it('treats the ids of a create as one pet from then on', () => {
  const names = new Names([]);

  const [base, head] = names.normalize([created('12', 4000), created('345', 5000)]);
  const lists = names.normalize([listed('[{"id":12}]', 'MS4'), listed('[{"id":345}]', 'OS4')]);

  expect(base).toEqual({
    status: 201,
    headers: { 'content-length': '<length of the body>', location: 'http://127.0.0.1:<port>/v1/pets/12' },
    body: '{"id":12}',
  });
  expect(head).toEqual(base);
  expect(lists[0]).toEqual({
    status: 200,
    headers: { link: '<http://127.0.0.1/v1/pets?limit=1&cursor=<cursor>>; rel="next"' },
    body: '[{"id":12}]',
  });
  expect(lists[1]).toEqual(lists[0]);
});

it('keeps another number in an answer', () => {
  const names = new Names([]);
  names.normalize([created('12', 1), created('345', 2)]);

  const [, head] = names.normalize([listed('', ''), listed('[{"id":345,"categoryId":345}]', '')]);

  expect(head.body).toBe('[{"id":12,"categoryId":345}]');
});

it('keeps the ids of one table', () => {
  const names = new Names([], { haveSameIds: true });

  const [, head] = names.normalize([created('12', 1), created('345', 1)]);

  expect(head.body).toBe('{"id":345}');
});

it('keeps a length that is wrong', () => {
  const headers = { 'content-length': '7' };
  const [base] = new Names([]).normalize([{ status: 200, headers, body: '[]' }, listed('', '')]);

  expect(base.headers).toEqual({ 'content-length': '7' });
});

it('hides keys', () => {
  const names = new Names(['secret']);

  expect(names.normalize([listed('a secret', ''), listed('', '')])[0].body).toBe('a <API key>');
});
