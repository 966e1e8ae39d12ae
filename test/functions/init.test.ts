import { describe, expect, inject, it } from 'vitest';
import { captureErrorLog } from '../support/functions/error-log.ts';
import { loadAt, respondJson, startStubDynamodb } from '../support/functions/stub-dynamodb.ts';

const log = captureErrorLog();

describe('init', () => {
  it.each([
    ['list-pets', 'Query'],
    ['create-pet', 'PutItem'],
    ['get-pet', 'GetItem'],
    ['authorizer', 'GetItem'],
  ])('of %s makes one call, a %s', async (name, action) => {
    const actions: string[] = [];
    await using dynamodb = await startStubDynamodb((call, response) => {
      actions.push(call.action);
      respondJson(response, 200, {});
    });

    await loadAt(dynamodb.endpoint, () => import(`../../functions/${name}.ts`));

    expect(actions).toEqual([action]);
  });

  it('of list-pets asks for the kind of page that clients ask for', async () => {
    const bodies: unknown[] = [];
    await using dynamodb = await startStubDynamodb(({ body }, response) => {
      bodies.push(JSON.parse(body));
      respondJson(response, 200, {});
    });

    await loadAt(dynamodb.endpoint, () => import('../../functions/list-pets.ts'));

    expect(bodies).toEqual([
      expect.objectContaining({ ExpressionAttributeValues: { ':status': { S: 'available' } }, Limit: 2 }),
    ]);
  });

  it.each(['list-pets', 'create-pet', 'get-pet', 'authorizer'])(
    'of %s makes a call that DynamoDB accepts',
    async (name) => {
      await loadAt(inject('dynamodbEndpoint'), () => import(`../../functions/${name}.ts`));

      expect(log.lines()).toEqual([]);
    },
  );
});
