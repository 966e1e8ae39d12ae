import batchGetItem from 'dynalite/actions/batchGetItem.js';
import batchWriteItem from 'dynalite/actions/batchWriteItem.js';
import createTable from 'dynalite/actions/createTable.js';
import deleteItem from 'dynalite/actions/deleteItem.js';
import deleteTable from 'dynalite/actions/deleteTable.js';
import describeTable from 'dynalite/actions/describeTable.js';
import getItem from 'dynalite/actions/getItem.js';
import listTables from 'dynalite/actions/listTables.js';
import putItem from 'dynalite/actions/putItem.js';
import query from 'dynalite/actions/query.js';
import scan from 'dynalite/actions/scan.js';
import updateItem from 'dynalite/actions/updateItem.js';
import batchGetItemInput from 'dynalite/validations/batchGetItem.js';
import batchWriteItemInput from 'dynalite/validations/batchWriteItem.js';
import createTableInput from 'dynalite/validations/createTable.js';
import deleteItemInput from 'dynalite/validations/deleteItem.js';
import deleteTableInput from 'dynalite/validations/deleteTable.js';
import describeTableInput from 'dynalite/validations/describeTable.js';
import getItemInput from 'dynalite/validations/getItem.js';
import listTablesInput from 'dynalite/validations/listTables.js';
import putItemInput from 'dynalite/validations/putItem.js';
import queryInput from 'dynalite/validations/query.js';
import scanInput from 'dynalite/validations/scan.js';
import updateItemInput from 'dynalite/validations/updateItem.js';
import type { Call, DynaliteStore } from './dynalite-store.ts';

/** How dynalite validates and executes an operation. */
export interface Operation {
  readonly validation: { readonly types: unknown; readonly custom?: unknown };
  readonly action: (
    store: DynaliteStore,
    call: Call,
    done: (error: unknown, output?: unknown) => void,
  ) => void;
}

/** dynalite's operations on items, and those on tables that it needs, by name. */
export const operations: ReadonlyMap<string, Operation> = new Map([
  ['BatchGetItem', { action: batchGetItem, validation: batchGetItemInput }],
  ['BatchWriteItem', { action: batchWriteItem, validation: batchWriteItemInput }],
  ['CreateTable', { action: createTable, validation: createTableInput }],
  ['DeleteItem', { action: deleteItem, validation: deleteItemInput }],
  ['DeleteTable', { action: deleteTable, validation: deleteTableInput }],
  ['DescribeTable', { action: describeTable, validation: describeTableInput }],
  ['GetItem', { action: getItem, validation: getItemInput }],
  ['ListTables', { action: listTables, validation: listTablesInput }],
  ['PutItem', { action: putItem, validation: putItemInput }],
  ['Query', { action: query, validation: queryInput }],
  ['Scan', { action: scan, validation: scanInput }],
  ['UpdateItem', { action: updateItem, validation: updateItemInput }],
]);
