import { namesOf } from '../../../shared/tables/table.ts';
import { isLost } from '../aws/tables.ts';
import { command } from '../command.ts';
import { step } from '../report.ts';
import type { Known } from './facts.ts';
import { type Cause, secondPerson, tellClients } from './problem.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html */
const usable = ['ACTIVE', 'UPDATING'];

export const lostTable: Cause = ({ tables }, { stage }) => {
  const bad = tables.find(({ table }) => !table || !usable.includes(`${table.TableStatus}`));
  if (!bad) return undefined;
  const { id, name, table } = bad;
  const says = `The table of ${id} ${table ? `is ${table.TableStatus}` : 'does not exist any more'}: ${name}.`;
  if (!isLost(bad)) return { says, isUnexplained: true, next: [secondPerson, tellClients] };
  return {
    says,
    next: [
      step('restore', 'see how it comes back', command`npm run stage -- restore ${stage} --table ${id}`),
      tellClients,
    ],
  };
};

/** Returns the indexes that are deployed, with their states. This clone may have one that is not deployed yet. */
const deployedIndexes = ({ tables, indexNames }: Pick<Known, 'tables' | 'indexNames'>) =>
  tables
    .flatMap(({ name, table, definition }) =>
      Object.entries(definition.indexes).map(([IndexName, key]) => ({
        IndexName,
        key,
        name,
        types: definition.keyTypes,
        status: table?.GlobalSecondaryIndexes?.find((index) => index.IndexName === IndexName)?.IndexStatus,
      })),
    )
    .filter(({ IndexName }) => indexNames.includes(IndexName));

/** A deploy builds it, for functions that come later, or somebody has recreated it. */
export const buildingIndex: Cause = (known) => {
  const building = deployedIndexes(known).find(({ status }) => status === 'CREATING');
  return (
    building && {
      says: `The index ${building.IndexName} of ${building.name} is CREATING: lists that need it fail until it is ACTIVE.`,
      next: [{ text: 'wait, which can take hours, and stop no deploy that creates it' }],
    }
  );
};

/** An index that lists need is not there. */
export const lostIndex: Cause = (known) => {
  const lost = deployedIndexes(known).find(({ status = 'DELETING' }) => status === 'DELETING');
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
    next: [step('administrator', 'recreate it once it is gone, which no deploy does', recreate)],
  };
};
