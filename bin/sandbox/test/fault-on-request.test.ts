import { expect, it, vi } from 'vitest';
import { httpRequest } from '../../local-api/test/support/received-request.ts';
import { faultOnRequest } from '../fault-on-request.ts';

const created = { status: 201, headers: {}, body: '{"id":1}' };

/** Asks for a fault, and returns the response, and whether the request was carried out. */
async function ask(fault: string | undefined) {
  const headers: Record<string, string[]> = fault === undefined ? {} : { 'sandbox-fault': [fault] };
  const respond = vi.fn(async () => created);
  const response = await faultOnRequest(httpRequest({ headers }), respond);
  return { response, isCarriedOut: respond.mock.calls.length === 1 };
}

it('the sandbox carries out a request that asks for no fault', async () => {
  expect(await ask(undefined)).toStrictEqual({ response: created, isCarriedOut: true });
});

it.each([
  ['429', 'too_many_requests', '1'],
  ['500', 'internal_error', undefined],
  ['503', 'service_unavailable', '1'],
])('the sandbox responds with a %s on request, in place of the service', async (status, code, retryAfter) => {
  const { response, isCarriedOut } = await ask(status);

  expect(isCarriedOut).toBe(false);
  expect(response.status).toBe(Number(status));
  expect(response.headers['Content-Type']).toBe('application/json');
  expect(response.headers['Retry-After']).toBe(retryAfter);
  expect(JSON.parse(String(response.body))).toMatchObject({ code, status: Number(status) });
});

it('the sandbox loses a response on request, once the request is carried out', async () => {
  expect(await ask('lost')).toStrictEqual({ response: { ...created, isLost: true }, isCarriedOut: true });
});

it('the sandbox delays a response on request', async () => {
  const start = performance.now();
  const { response } = await ask('delay=0.2');

  expect(response).toStrictEqual(created);
  // A timer may be a millisecond early.
  expect(performance.now() - start).toBeGreaterThan(198);
});

it.each([
  '',
  '404',
  'constructor',
  'Lost',
  'delay',
  'delay=',
  'delay=-1',
  'delay=61',
  'delay=1e9',
  '503, lost',
])('the sandbox says which faults there are in response to %j', async (fault) => {
  const { response, isCarriedOut } = await ask(fault);

  expect(isCarriedOut).toBe(false);
  expect(response.status).toBe(400);
  expect(JSON.parse(String(response.body))).toStrictEqual({
    code: 'invalid_header',
    message: 'Sandbox-Fault must be 429, 500, 503, lost, or delay= and 0 to 60 seconds, such as delay=1.5.',
    status: 400,
  });
});
