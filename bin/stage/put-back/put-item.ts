import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { writeIf } from '../../../shared/tables/write-if.ts';
import type { Pair } from './compare.ts';
import type { OpenTable } from './open-tables.ts';

/**
 * Puts an item of the copy into a table that still has what the item was compared with: a write that came in
 * between stays.
 *
 * @returns whether it was written
 */
export async function putItem({ client, name }: OpenTable, { item, current = {} }: Pair): Promise<boolean> {
  const attributes = [...new Set([...Object.keys({ ...item, ...current }), 'lastWrite'])];
  const known = new Map(Object.entries(current));
  const conditions = attributes.map((attribute, index) =>
    known.has(attribute) ? `#${index} = :${index}` : `attribute_not_exists(#${index})`,
  );
  const values = attributes.flatMap((attribute, index) => {
    const value = known.get(attribute);
    return value ? [[`:${index}`, value] as const] : [];
  });
  const { isWritten } = await writeIf((lastWrite) =>
    client.send(
      new PutItemCommand({
        TableName: name,
        Item: { ...item, lastWrite: { S: lastWrite } },
        ConditionExpression: conditions.join(' AND '),
        ExpressionAttributeNames: Object.fromEntries(
          attributes.map((attribute, index) => [`#${index}`, attribute]),
        ),
        ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
  );
  return isWritten;
}
