import { describe, expect, it } from 'vitest';
import { answerJson, loadAt, startStubDynamodb } from '../shared/stub-dynamodb.ts';

describe('init', () => {
  it.each([
    ['list-pets', 'Query'],
    ['create-pet', 'GetItem'],
    ['get-pet', 'GetItem'],
    ['authorizer', 'GetItem'],
  ])('of %s makes one call, a %s', async (name, action) => {
    const actions: string[] = [];
    await using dynamodb = await startStubDynamodb((call, response) => {
      actions.push(call.action);
      answerJson(response, 200, {});
    });

    await loadAt(dynamodb.endpoint, () => import(`../../functions/${name}.ts`));

    expect(actions).toEqual([action]);
  });
});
