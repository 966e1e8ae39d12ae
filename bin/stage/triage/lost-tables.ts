import { namesOf } from '../../../shared/tables/table.ts';
import { command } from '../command.ts';
import { step } from '../report.ts';
import { type Cause, secondPerson, tellClients } from './problem.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html */
const usable = ['ACTIVE', 'UPDATING'];

export const lostTable: Cause = ({ tables }, { stage }) => {
  const bad = tables.find(({ table }) => !table || !usable.includes(`${table.TableStatus}`));
  if (!bad) return undefined;
  const { id, name, table } = bad;
  if (table) {
    const says = `The table of ${id} is ${table.TableStatus}: ${name}.`;
    return { says, isUnexplained: true, next: [secondPerson, tellClients] };
  }
  return {
    says: `The table of ${id} does not exist any more: ${name}.`,
    next: [
      step('restore', 'restore it', command`npm run stage -- restore ${stage} --table ${id}`),
      tellClients,
    ],
  };
};

/** An index that lists need is not there, or not yet. This clone may have one that is not deployed yet. */
export const lostIndex: Cause = ({ tables, indexNames }) => {
  const indexes = tables.flatMap(({ name, table, definition }) =>
    Object.entries(definition.indexes).map(([IndexName, key]) => ({
      IndexName,
      key,
      name,
      types: definition.keyTypes,
      status: table?.GlobalSecondaryIndexes?.find((index) => index.IndexName === IndexName)?.IndexStatus,
    })),
  );
  const lost = indexes.find(({ IndexName, status }) => status !== 'ACTIVE' && indexNames.includes(IndexName));
  if (!lost) return undefined;
  const { IndexName, name, status } = lost;
  const attributes = namesOf(lost.key);
  const KeySchema = attributes.map((AttributeName, place) => ({
    AttributeName,
    KeyType: place === 0 ? 'HASH' : 'RANGE',
  }));
  const create = { Create: { IndexName, KeySchema, Projection: { ProjectionType: 'ALL' } } };
  const types = attributes.map((own) => `AttributeName=${own},AttributeType=${lost.types[own]}`);
  const recreate = command`aws dynamodb update-table --table-name ${name} --attribute-definitions ${types} --global-secondary-index-updates ${JSON.stringify([create])}`;
  return {
    says: `The index ${IndexName} of ${name} is ${status ?? 'gone'}: lists that filter fail.`,
    next: [step('administrator', 'recreate it if it is gone, which no deploy does', recreate)],
  };
};
