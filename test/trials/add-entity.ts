import assert from 'node:assert/strict';
import { allOperations, type Trial, tsc, vitest } from './trial.ts';

const operationSettings = 'infra/settings/operation-settings.ts';
const imported = "import { CustomerId, Order } from './schemas/order.ts';\n";
const table = "orders: { nameVariable: 'ORDERS_TABLE', key: { customerId: 'S', id: 'N' }, indexes: {} },\n";

const schema = `import * as v from 'valibot';
import { errorTable } from '../errors/error-table.ts';
import { pageParameters } from './page-query.ts';

const unknownCustomer = errorTable.not_found.message;

export const CustomerId = v.pipe(v.string(unknownCustomer), v.regex(/^[a-z][a-z0-9-]{0,30}$/, unknownCustomer));

/** An order of a customer. */
export const Order = v.object({
  customerId: CustomerId,
  id: v.pipe(v.bigint(), v.minValue(1n), v.maxValue(2n ** 53n - 1n)),
  petId: v.pipe(v.bigint(), v.minValue(1n), v.maxValue(2n ** 53n - 1n)),
});
export type Order = v.InferOutput<typeof Order>;

/** The query of listOrders. */
export const ListOrdersQuery = v.object(pageParameters);
`;

const operation = `/** An order in every example. */
export const exampleOrder: Order = { customerId: 'acme', id: 1n, petId: examplePet.id };

/** A page of the orders of a customer. */
export const listOrders = {
  operationId: 'listOrders',
  method: 'GET',
  path: '/customers/{customerId}/orders',
  summary: 'List the orders of a customer',
  description: 'Returns a page of the orders of a customer.',
  parameters: {
    path: { customerId: { description: 'Who ordered.', schema: CustomerId, example: exampleOrder.customerId } },
    query: pageQuery,
  },
  success: 200,
  response: {
    description: 'A page of orders.',
    schema: v.pipe(v.array(Order), v.maxLength(pageSize.maximum)),
    example: [exampleOrder],
    headers: nextPage('/customers/acme/orders', '1'),
  },
  errors: ['invalid_query', 'invalid_request', 'not_found'],
} as const satisfies Operation;

${allOperations}listOrders, `;

const access = `import { environmentVariable } from '../lambda/environment.ts';
import { Order } from '../contract/schemas/order.ts';
import { type PageRequest, readPage } from './page.ts';
import { tables } from './table-definitions.ts';

const tableName = environmentVariable(tables.orders.nameVariable);

/** Reads a page of the orders of a customer. */
export const readOrderPage = (customerId: string, page: PageRequest) =>
  readPage({ table: 'orders', tableName, schema: Order, partition: ['customerId', customerId] }, page);
`;

const handler = `import { parse } from '../shared/contract/errors/parse.ts';
import type { listOrders } from '../shared/contract/operations.ts';
import { CustomerId, ListOrdersQuery } from '../shared/contract/schemas/order.ts';
import { decodeCursor } from '../shared/contract/schemas/page-cursor.ts';
import { apiHandler, jsonResponse } from '../shared/http/api-handler.ts';
import { nextPageLink } from '../shared/http/next-page.ts';
import { warmUp } from '../shared/lambda/warm-up.ts';
import { readOrderPage } from '../shared/tables/orders-table.ts';

export const handler = apiHandler().handler(async (event) => {
  const customerId = parse(CustomerId, event.pathParameters?.['customerId'], 'not_found');
  const query = event.multiValueQueryStringParameters ?? {};
  const { limit, cursor } = parse(ListOrdersQuery, query, 'invalid_query');
  const filter = { customerId };
  const after = cursor === undefined ? undefined : decodeCursor(cursor, filter);

  const { items, next } = await readOrderPage(customerId, { limit, after });

  const path = \`/customers/\${customerId}/orders\` as const;
  return jsonResponse<typeof listOrders>(200, items, nextPageLink(event, path, { limit, filter, next }));
});

await warmUp(() => readOrderPage('none', { limit: 1, after: undefined }));
`;

const test = `import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { handler } from '../../functions/list-orders.ts';
import { exampleOrder } from '../../shared/contract/operations.ts';
import { environmentVariable } from '../../shared/lambda/environment.ts';
import { tables } from '../../shared/tables/table-definitions.ts';
import { invoke } from '../support/functions/invoke.ts';
import { dynamodb } from '../support/functions/stored-pets.ts';

const TableName = environmentVariable(tables.orders.nameVariable);
const pathParameters = { customerId: 'acme' };

it('lists the orders of a customer, page by page', async () => {
  const orders = [exampleOrder, { ...exampleOrder, id: 2n }];
  const others = { ...exampleOrder, customerId: 'other' };
  for (const Item of [...orders, others]) await dynamodb.send(new PutCommand({ TableName, Item }));

  const first = await invoke(handler, { pathParameters, query: 'limit=1' });
  const [, query = ''] = String(first.headers['Link']).split(/[?>]/);
  const second = await invoke(handler, { pathParameters, query });

  expect([first.body, second.body]).toEqual(orders.map((order) => [order]));
  expect(second.headers).not.toHaveProperty('Link');
});
`;

const e2eTest = `import { it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { expectError } from '../support/e2e/expect-error.ts';

it('GET /customers/{customerId}/orders responds with 404 for an id that no customer can have', async () => {
  expectError(await call('GET', '/customers/NOBODY/orders'), 404, 'not_found');
});
`;

const settings = `listOrders: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tables: { orders: { table: ['dynamodb:Query'] } },
  },
  `;

/** Adds the orders of a customer, with a table of their own. */
export const addEntity: Trial = {
  section: 'To add an entity',
  maxFiles: 12,
  follow(copy) {
    copy.insert('shared/tables/table-definitions.ts', '  pets: {', table);
    copy.write('shared/contract/schemas/order.ts', schema);
    copy.write('shared/tables/orders-table.ts', access);
    copy.edit('shared/contract/operations.ts', allOperations, operation);
    copy.insert('shared/contract/operations.ts', 'import { encodeCursor }', imported);
    copy.expectFailure(tsc, `${operationSettings}.*'listOrders' is missing`);
    copy.insert(operationSettings, 'getPet: {', settings);
    copy.expectFailure(vitest('test/infra/service/bundle.test.ts'), 'There is no functions/list-orders.ts');
    copy.write('functions/list-orders.ts', handler);
    copy.write('test/functions/list-orders.test.ts', test);
    copy.write('test/e2e/list-orders.test.ts', e2eTest);
  },

  /** The table is listed, watched and restorable. */
  async check(copy, { call }) {
    assert.deepEqual(await call('GET', '/customers/acme/orders'), []);

    const declared = copy.template('production');
    const alarms = Object.values<{ Type: string }>(declared.Resources)
      .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
      .filter((alarm) => JSON.stringify(alarm).includes('"TablesOrders'));
    assert.ok(alarms.length > 0, 'No alarm watches the table.');

    const restored = "\n    restoredTables: { orders: 'pet-store-orders-restored' },";
    copy.edit('infra/settings/stages.ts', '  production: {', `  production: {${restored}`);
    const { Resources, Outputs } = copy.template('production');
    assert.equal(Outputs.OrdersTableName.Value, 'pet-store-orders-restored');
    assert.ok(!Object.keys(Resources).some((id) => id.startsWith('TablesOrders')));
  },
};
