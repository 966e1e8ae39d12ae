import { createServer } from 'node:http';
import { listen } from '../../../bin/local-api/http/listen.ts';

/** Returns a port that nothing on this machine uses. */
export async function freePort(): Promise<number> {
  await using server = createServer();
  return await listen(server);
}
