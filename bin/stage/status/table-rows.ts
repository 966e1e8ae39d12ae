import type { TableDescription } from '@aws-sdk/client-dynamodb';
import { namesOf } from '../../../shared/tables/table.ts';
import { isLost, type UsedTable } from '../aws/tables.ts';
import { command } from '../command.ts';
import { infer, together } from '../fact.ts';
import { listed, type Row, step, tableText } from '../report.ts';
import type { Facts } from './facts.ts';

/** Returns the tables of a stage with their indexes, and those that it does not use. */
export function tableRows({ tables, timesToLive, indexNames }: Facts, stage: string): readonly Row[] {
  const known = { tables, timesToLive, indexNames };
  const lines = infer(known, (facts) =>
    facts.tables.flatMap((used) => [
      {
        text: [
          `${used.id}: ${tableText(used)}`,
          ...settingsOf(used.table),
          ...(used.table
            ? orUnread(() => `time to live ${facts.timesToLive.get(used.name) ?? 'off'}`, timesToLive.isRead)
            : []),
          ...indexTexts(used),
        ].join(', '),
        steps: [...restoreOf(used, stage), ...(indexNames.isRead ? recreate(used, facts.indexNames) : [])],
      },
      ...used.others.map((other) => ({ text: `not used: ${tableText(other)}` })),
    ]),
  );
  const unread = together({ timesToLive, indexNames });
  const rows = listed('Tables', lines, 5);
  if (unread.isRead || !tables.isRead) return rows;
  return [...rows, ...listed('Tables', unread, 1)];
}

const orUnread = (text: () => string, isRead: boolean) => [isRead ? text() : 'time to live NOT READ'];

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html */
function settingsOf(table: TableDescription | undefined): readonly string[] {
  if (!table) return [];
  const {
    BillingModeSummary,
    ProvisionedThroughput: units,
    OnDemandThroughput: most,
    SSEDescription,
  } = table;
  // It is absent from a table that has never been on demand.
  const mode = BillingModeSummary?.BillingMode ?? 'PROVISIONED';
  const capacity = `${mode === 'PROVISIONED' ? ` ${units?.ReadCapacityUnits} read and ${units?.WriteCapacityUnits} write units` : ''}`;
  const limit =
    most && ` at most ${most.MaxReadRequestUnits} read and ${most.MaxWriteRequestUnits} write units`;
  return [
    `${mode}${capacity}${limit ?? ''}`,
    `key ${keyText(table.KeySchema)}`,
    ...(SSEDescription
      ? [`encrypted with ${SSEDescription.KMSMasterKeyArn} (${SSEDescription.Status})`]
      : []),
  ];
}

const keyText = (schema: TableDescription['KeySchema'] = []) =>
  schema.map(({ AttributeName }) => AttributeName).join(' and ');

const indexTexts = ({ table, definition }: UsedTable) =>
  table
    ? [
        ...(table.GlobalSecondaryIndexes ?? []).map(
          ({ IndexName, IndexStatus, KeySchema }) =>
            `index ${IndexName} ${IndexStatus} by ${keyText(KeySchema)}`,
        ),
        ...missingIndexes({ table, definition }).map((name) => `NO INDEX ${name}`),
      ]
    : [];

const missingIndexes = ({ table, definition }: Pick<UsedTable, 'table' | 'definition'>) =>
  Object.keys(table ? definition.indexes : {}).filter(
    (name) => !table?.GlobalSecondaryIndexes?.some(({ IndexName }) => IndexName === name),
  );

const restoreOf = (used: UsedTable, stage: string) =>
  isLost(used) ? [step('restore', '', command`npm run stage -- restore ${stage} --table ${used.id}`)] : [];

/** No deploy recreates an index. This clone may have one that is not deployed yet. */
function recreate(used: UsedTable, deployed: readonly (string | undefined)[]) {
  const { definition, name } = used;
  const types: Readonly<Record<string, string>> = definition.keyTypes;
  return missingIndexes(used)
    .filter((IndexName) => deployed.includes(IndexName))
    .map((IndexName) => {
      const attributes = namesOf(definition.indexes[IndexName] ?? definition.key);
      const KeySchema = attributes.map((AttributeName, place) => ({
        AttributeName,
        KeyType: place === 0 ? 'HASH' : 'RANGE',
      }));
      const create = { Create: { IndexName, KeySchema, Projection: { ProjectionType: 'ALL' } } };
      const typed = attributes.map((own) => `AttributeName=${own},AttributeType=${types[own]}`);
      return step(
        'administrator',
        '',
        command`aws dynamodb update-table --table-name ${name} --attribute-definitions ${typed} --global-secondary-index-updates ${JSON.stringify([create])}`,
      );
    });
}
