import { namesOf } from '../../../shared/tables/table.ts';
import { isLost } from '../aws/tables.ts';
import { command } from '../command.ts';
import { step } from '../report.ts';
import { type Cause, secondPerson, tellClients } from './problem.ts';

/** Of tables and indexes. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html */
const usable = ['ACTIVE', 'UPDATING'];

export const lostTable: Cause = ({ tables }, { stage }) => {
  const bad = tables.find(({ table }) => !usable.includes(`${table?.TableStatus}`));
  if (!bad) return undefined;
  const { id, name, table } = bad;
  const seeRestore = step(
    'restore',
    'see how it comes back',
    command`npm run stage -- restore ${stage} --table ${id}`,
  );
  return {
    says: `The table of ${id} ${table ? `is ${table.TableStatus}` : 'does not exist any more'}: ${name}.`,
    next: [isLost(bad) ? seeRestore : secondPerson, tellClients],
  };
};

/** Finds an index that is deployed and cannot be used. This clone may have one that is not deployed yet. */
export const lostIndex: Cause = ({ tables, indexNames }) => {
  const indexes = tables.flatMap(({ name, table, definition }) =>
    Object.entries(table ? definition.indexes : {}).map(([IndexName, key]) => ({
      IndexName,
      key,
      name,
      types: definition.keyTypes,
      status:
        table?.GlobalSecondaryIndexes?.find((index) => index.IndexName === IndexName)?.IndexStatus ?? 'gone',
    })),
  );
  const lost = indexes.find(
    ({ IndexName, status }) => indexNames.includes(IndexName) && !usable.includes(status),
  );
  if (!lost) return undefined;
  const { IndexName, name, status } = lost;
  const says = `The index ${IndexName} of ${name} is ${status}: lists that need it fail.`;
  // A deploy builds it, for functions that come later, or somebody has recreated it.
  if (status === 'CREATING')
    return { says, next: [{ text: 'wait until it is ACTIVE, which can take hours' }] };
  const attributes = namesOf(lost.key);
  const KeySchema = attributes.map((AttributeName, place) => ({
    AttributeName,
    KeyType: place === 0 ? 'HASH' : 'RANGE',
  }));
  const create = { Create: { IndexName, KeySchema, Projection: { ProjectionType: 'ALL' } } };
  const types = attributes.map((own) => `AttributeName=${own},AttributeType=${lost.types[own]}`);
  const recreate = command`aws dynamodb update-table --table-name ${name} --attribute-definitions ${types} --global-secondary-index-updates ${JSON.stringify([create])}`;
  return {
    says,
    next: [step('administrator', 'recreate it once it is gone, which no deploy does', recreate)],
  };
};
