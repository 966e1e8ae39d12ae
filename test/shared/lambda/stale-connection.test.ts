import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { answerJson, loadAt, startStubDynamodb } from '../../support/functions/stub-dynamodb.ts';

vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn(async () => undefined) }));

/** Starts a DynamoDB that answers one call a connection, and cuts the connection at the next one. */
async function startForgetfulDynamodb() {
  const sockets = new Set<Socket>();
  const stub = await startStubDynamodb((_call, response) => {
    const { socket } = response.req;
    if (sockets.has(socket)) socket.destroy();
    else answerJson(response, 200, {});
    sockets.add(socket);
  });
  return { ...stub, sockets };
}

describe('a connection that DynamoDB has cut since the last call', () => {
  it('is replaced at once, without the pause after a fault of DynamoDB', async () => {
    await using stub = await startForgetfulDynamodb();
    const { dynamodb } = await loadAt(stub.endpoint, () => import('../../../shared/lambda/dynamodb.ts'));
    const call = () => dynamodb('GetItem', { TableName: 'pets', Key: { id: { N: '1' } } });

    const answers = [await call(), await call()];

    expect(answers).toEqual([{}, {}]);
    expect(stub.sockets.size).toBe(2);
    expect(setTimeout).not.toHaveBeenCalled();
  });

  it('is told from one that DynamoDB cuts in the first call', async () => {
    await using stub = await startStubDynamodb((_call, response) => response.destroy());
    const { dynamodb } = await loadAt(stub.endpoint, () => import('../../../shared/lambda/dynamodb.ts'));

    const call = dynamodb('GetItem', { TableName: 'pets', Key: { id: { N: '1' } } });

    await expect(call).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(vi.mocked(setTimeout).mock.calls).toEqual([[100], [200]]);
  });
});
