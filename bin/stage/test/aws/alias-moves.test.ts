import { describe, expect, it } from 'vitest';
import { readAliasMoves } from '../../aws/alias-moves.ts';
import { readStack } from '../../aws/stack.ts';
import { fakeStage, type World } from '../support/fake-stage.ts';
import { stack as stackName } from '../support/stack-resources.ts';
import { day, functions, minutesAgo } from '../support/stage-names.ts';
import { aliasMoved, callers } from '../support/trail-events.ts';

const [functionName = ''] = functions;

async function movesIn(world: World, from = minutesAgo(7 * day)) {
  const { clients, calls, impossible } = fakeStage(world);
  const stack = await readStack(clients, stackName);
  if (!stack) throw new Error('The fake stage has no stack.');
  const found = await readAliasMoves(clients, stack, from);
  expect(impossible).toEqual([]);
  return { ...found, inputs: calls.filter(({ command }) => command === 'LookupEvents') };
}

describe('the moves of aliases', () => {
  it('say who pointed which alias to which version', async () => {
    const { moves, since } = await movesIn({ events: [aliasMoved(20, functionName, 5)] });

    expect(moves).toEqual([
      { at: minutesAgo(20), who: 'alice', by: undefined, functionName, version: '5', shares: {} },
    ]);
    expect(since).toEqual(minutesAgo(7 * day));
  });

  it('name the service that called', async () => {
    const caller = callers.service('codedeploy.amazonaws.com', 'CodeDeployRole');
    const { moves } = await movesIn({
      events: [aliasMoved(20, functionName, 5, { weights: { 6: 0.1 }, caller })],
    });

    expect(moves).toEqual([
      {
        at: minutesAgo(20),
        who: 'AWSCloudFormation',
        by: 'codedeploy.amazonaws.com',
        functionName,
        version: '5',
        shares: { 6: 0.1 },
      },
    ]);
  });

  it('find the function by its ARN', async () => {
    const arn = `arn:aws:lambda:eu-central-1:123456789012:function:${functionName}`;

    expect((await movesIn({ events: [aliasMoved(20, arn, 5)] })).moves).toMatchObject([{ functionName }]);
  });

  it('say what a call left as it was', async () => {
    const event = aliasMoved(20, functionName, 5, { requested: { routingConfig: {} } });

    expect((await movesIn({ events: [event] })).moves).toMatchObject([{ version: '5' }]);
  });

  it.each([
    ['of another alias', aliasMoved(20, functionName, 5, { name: 'other' })],
    ['of a function of another stage', aliasMoved(20, 'PetStore-staging-Authorizer', 5)],
    ['that failed', aliasMoved(20, functionName, 5, { errorCode: 'ResourceNotFoundException' })],
  ])('leave out one %s', async (_title, event) => {
    expect((await movesIn({ events: [event] })).moves).toEqual([]);
  });

  it('are read for the 90 days that CloudTrail keeps', async () => {
    const { since, inputs } = await movesIn({}, minutesAgo(400 * day));

    expect(since).toEqual(minutesAgo(90 * day));
    expect(inputs[0]?.input).toEqual({
      StartTime: minutesAgo(90 * day),
      LookupAttributes: [{ AttributeKey: 'EventName', AttributeValue: 'UpdateAlias20150331' }],
    });
  });

  it('say from when on they are known, if there are too many', async () => {
    const events = Array.from({ length: 40 }, (_, index) => aliasMoved(index, functionName, 5));

    expect((await movesIn({ events })).since).toEqual(minutesAgo(29));
  });
});
