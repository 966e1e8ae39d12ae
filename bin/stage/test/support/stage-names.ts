import { capitalize } from '../../../../infra/stack-names.ts';
import { tables } from '../../../../shared/service.ts';
import type { TableDefinition } from '../../../../shared/tables/table.ts';
import { list, table } from '../../../../test/support/contract/own-operations.ts';
import { account } from '../../../local-api/template/account.ts';
import { idOf, stack, stackResources } from './stack-resources.ts';

const instant = (time: string) => new Date(`2026-11-${time}Z`);

/** When the reports of the tests are made. */
export const now = instant('23T20:00:00');

export const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

export const List = capitalize(list.operationId);
export const tableName = (id: string) => idOf('AWS::DynamoDB::GlobalTable', `Tables${capitalize(id)}`);
export const ownTable = tableName(table.id);
export const apiKeys = tableName('apiKeys');
export const definitions: readonly TableDefinition[] = tables;
/** Further tables of the service, which are always there. */
export const otherIds = definitions.map(({ id }) => id).filter((id) => id !== table.id && id !== 'apiKeys');
export const linesOfOthers = new RegExp(`\\n *(${otherIds.join('|') || 'none'}): .*`, 'g');
/** A copy of the keys that a restore has left over. */
export const oldKeys = `${stack}-restored-apiKeys-202609010300`;
export const functionName = (name: string) => idOf('AWS::Lambda::Function', `${name}Function`);
/** The names of the functions whose aliases a release moves, in the order of the template. */
export const functions = stackResources
  .filter(({ type }) => type === 'AWS::Lambda::Alias')
  .map(({ physicalId }) => physicalId.split(':')[6] ?? '');
export const logOf = (name: string) => `${account.id}:${idOf('AWS::Logs::LogGroup', `${name}Logs`)}`;
export const roleOf = (name: string) => idOf('AWS::IAM::Role', `${name}Role`);

/** In minutes. */
export const day = 24 * 60;
