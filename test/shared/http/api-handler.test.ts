import { expect, it } from 'vitest';
import { apiHandler } from '../../../shared/http/api-handler.ts';
import { captureErrorLog } from '../../support/functions/error-log.ts';
import { serviceUnavailable } from '../../support/functions/expected-response.ts';
import { invoke } from '../../support/functions/invoke.ts';

const log = captureErrorLog();

it('an API handler responds with 503 while there is still time, when the work never ends', async () => {
  const handler = apiHandler().handler(() => new Promise(() => undefined));
  const startedAt = performance.now();

  const response = await invoke(handler, { remainingTime: 510 });

  expect(performance.now() - startedAt).toBeLessThan(400);
  expect(response).toEqual(serviceUnavailable);
  expect(log.lines()).toEqual([expect.stringContaining('The function ran out of time.')]);
});
