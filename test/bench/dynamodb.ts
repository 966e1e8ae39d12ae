import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

/** Where the DynamoDB of another process is reached. */
const DynamodbAddress = v.object({
  /** With TLS, as functions reach DynamoDB once they are deployed. */
  endpoint: v.string(),
  /** Without TLS. */
  plainEndpoint: v.string(),
  /** The certificate that a function must trust, in PEM. */
  certificate: v.string(),
});
export type DynamodbAddress = v.InferOutput<typeof DynamodbAddress>;

/** Starts an embedded DynamoDB in a process of its own, where it takes no time of the functions'. */
export async function startDynamodbProcess(): Promise<DynamodbAddress & { stop(): void }> {
  const child = fork(fileURLToPath(new URL('./dynamodb-process.ts', import.meta.url)));
  const [message] = await once(child, 'message');
  return { ...v.parse(DynamodbAddress, message), stop: () => child.disconnect() };
}
