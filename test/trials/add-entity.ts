import assert from 'node:assert/strict';
import { allOperations, type Trial, tsc, vitest } from './trial.ts';

const operationSettings = 'infra/settings/operation-settings.ts';
const imported = "import { CustomerId, NewOrder, Order } from './schemas/order.ts';\n";

const schema = `import * as v from 'valibot';
import { errorTable } from '../errors/error-table.ts';
import { pageParameters } from './page-query.ts';

const unknownCustomer = errorTable.not_found.message;

export const CustomerId = v.pipe(v.string(unknownCustomer), v.regex(/^[a-z][a-z0-9-]{0,30}$/, unknownCustomer));

/** What a client sends to order a pet. */
export const NewOrder = v.object({
  petId: v.pipe(v.bigint(), v.minValue(1n), v.maxValue(2n ** 53n - 1n)),
});
export type NewOrder = v.InferOutput<typeof NewOrder>;

/** An order of a customer. */
export const Order = v.object({
  customerId: CustomerId,
  orderId: v.pipe(v.string(), v.regex(/^o\\d{1,16}$/)),
  ...NewOrder.entries,
});
export type Order = v.InferOutput<typeof Order>;

/** The query of listOrders. */
export const ListOrdersQuery = v.object(pageParameters);
`;

const operations = `/** An order in every example. */
export const exampleOrder: Order = { customerId: 'acme', orderId: 'o1', petId: examplePet.id };

const ofCustomer = {
  customerId: { description: 'Who ordered.', schema: CustomerId, example: exampleOrder.customerId },
};

/** A page of the orders of a customer. */
export const listOrders = {
  operationId: 'listOrders',
  method: 'GET',
  path: '/customers/{customerId}/orders',
  summary: 'List the orders of a customer',
  description: 'Returns a page of the orders of a customer, sorted by pet.',
  parameters: { path: ofCustomer, query: pageQuery },
  success: 200,
  response: {
    description: 'A page of orders.',
    schema: v.pipe(v.array(Order), v.maxLength(pageSize.maximum)),
    example: [exampleOrder],
    headers: nextPage('/customers/{customerId}/orders', { filter: { customerId: 'acme' }, next: 'o1,1' }),
  },
  errors: ['invalid_query', 'invalid_request', 'not_found'],
} as const satisfies Operation;

/** A new order of a customer. */
export const createOrder = {
  operationId: 'createOrder',
  method: 'POST',
  path: '/customers/{customerId}/orders',
  summary: 'Order a pet',
  description: 'Adds an order and assigns its id.',
  parameters: { path: ofCustomer, header: idempotencyKey },
  body: { schema: NewOrder, example: { petId: examplePet.id } },
  success: 201,
  response: {
    description: 'The order was created.',
    schema: Order,
    example: exampleOrder,
    headers: idempotencyReplayed,
  },
  errors: [...createPet.errors, 'not_found'],
} as const satisfies Operation;

${allOperations}listOrders, createOrder, `;

const imports = `import { environmentVariable } from '../lambda/environment.ts';
import { type NewOrder, Order } from '../contract/schemas/order.ts';
import type { Creation } from './creation.ts';
import { insertNothing, insertOnce } from './insert-once.ts';
import { type PageRequest, readPage } from './page.ts';
import { tables } from './table-definitions.ts';

`;

const listHandler = `import { parse } from '../shared/contract/errors/parse.ts';
import type { listOrders } from '../shared/contract/operations.ts';
import { CustomerId, ListOrdersQuery } from '../shared/contract/schemas/order.ts';
import { decodeCursor } from '../shared/contract/schemas/page-cursor.ts';
import { apiHandler, jsonResponse } from '../shared/http/api-handler.ts';
import { nextPageLink } from '../shared/http/next-page.ts';
import { warmUp } from '../shared/lambda/warm-up.ts';
import { readOrderPage } from '../shared/tables/orders-table.ts';

export const handler = apiHandler().handler(async (event) => {
  const customerId = parse(CustomerId, event.pathParameters?.['customerId'], 'not_found', 'customerId');
  const query = event.multiValueQueryStringParameters ?? {};
  const { limit, cursor } = parse(ListOrdersQuery, query, 'invalid_query');
  const filter = { customerId };
  const after = cursor === undefined ? undefined : decodeCursor(cursor, filter);

  const { items, next } = await readOrderPage(customerId, { limit, after });

  const path = '/customers/{customerId}/orders';
  return jsonResponse<typeof listOrders>(200, items, nextPageLink(event, path, { limit, filter, next }));
});

await warmUp(() => readOrderPage('none', { limit: 1, after: undefined }));
`;

const createHandler = `import { randomUUID } from 'node:crypto';
import { parse } from '../shared/contract/errors/parse.ts';
import type { createOrder } from '../shared/contract/operations.ts';
import { IdempotencyKey } from '../shared/contract/schemas/idempotency-key.ts';
import { CustomerId, NewOrder } from '../shared/contract/schemas/order.ts';
import { apiHandler, jsonResponse } from '../shared/http/api-handler.ts';
import { type JsonBodyEvent, jsonBody } from '../shared/http/json-body.ts';
import { clientOf, headerValues } from '../shared/http/request.ts';
import { warmUp } from '../shared/lambda/warm-up.ts';
import { insertNoOrder, insertOrder } from '../shared/tables/orders-table.ts';

export const handler = apiHandler()
  .use(jsonBody())
  .handler(async (event: JsonBodyEvent) => {
    const customerId = parse(CustomerId, event.pathParameters?.['customerId'], 'not_found', 'customerId');
    const header = headerValues(event, 'Idempotency-Key');
    const idempotencyKey = parse(IdempotencyKey, header, 'invalid_header', 'Idempotency-Key');
    const newOrder = parse(NewOrder, event.body, 'invalid_body');
    const client = clientOf(event);
    const key = idempotencyKey ?? randomUUID();

    const { item, isReplay } = await insertOrder(customerId, newOrder, { client, key, body: event.body });

    return jsonResponse<typeof createOrder>(201, item, {
      ...(idempotencyKey !== undefined && isReplay && { 'Idempotency-Replayed': 'true' }),
    });
  });

await warmUp(insertNoOrder);
`;

const test = `import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handler as create } from '../../functions/create-order.ts';
import { handler as list } from '../../functions/list-orders.ts';
import { Order } from '../../shared/contract/schemas/order.ts';
import { environmentVariable } from '../../shared/lambda/environment.ts';
import { readPage } from '../../shared/tables/page.ts';
import { tables } from '../../shared/tables/table-definitions.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { invoke } from '../support/functions/invoke.ts';
import { nextQueryOf } from '../support/functions/next-query.ts';
import { allItems } from '../support/functions/stored-items.ts';

captureLog();

const order = (customerId: string, key: string, petId: number) =>
  invoke(create, {
    method: 'POST',
    pathParameters: { customerId },
    headers: { 'Idempotency-Key': [key] },
    body: JSON.stringify({ petId }),
  });
const listOrders = (customerId: string, query: string) => invoke(list, { pathParameters: { customerId }, query });

describe('the orders of a customer', () => {
  beforeAll(async () => {
    for (const petId of [5, 1, 4, 2, 3]) await order('acme', \`key-\${petId}\`, petId);
    await order('other', 'key-1', 1);
  });

  it('are listed by pet, page by page', async () => {
    const petIds: unknown[] = [];
    for (let query: string | undefined = 'limit=2'; query !== undefined; ) {
      const page = await listOrders('acme', query);
      petIds.push(...v.parse(v.array(Order), page.body).map(({ petId }) => petId));
      query = nextQueryOf(page, '/customers/acme/orders');
      expect(query ?? '').not.toContain('customerId');
    }

    expect(petIds).toEqual([1n, 2n, 3n, 4n, 5n]);
  });

  it('are not listed with the cursor of another customer', async () => {
    const page = await listOrders('acme', 'limit=2');

    const response = await listOrders('other', nextQueryOf(page, '/customers/acme/orders') ?? '');

    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  });

  it('are all read from the table, page by page', async () => {
    const tableName = environmentVariable(tables.orders.nameVariable);
    const orders = { table: 'orders', tableName, schema: Order } as const;
    const ids = new Set();
    for (let after: string | undefined, isLast = false; !isLast; ) {
      const { items, next } = await readPage(orders, { limit: 2, after });
      for (const { customerId, orderId } of items) ids.add(customerId + orderId);
      after = next;
      isLast = next === undefined;
    }

    expect(ids.size).toBe(6);
  });

  it('are created once per key', async () => {
    const first = await order('acme', 'key-1', 1);
    const other = await order('acme', 'key-1', 2);

    expect(await allItems('orders')).toHaveLength(6);
    expect(first).toMatchObject({
      status: 201,
      headers: { 'Idempotency-Replayed': 'true' },
      body: { customerId: 'acme', petId: 1n },
    });
    expect(first.body).not.toHaveProperty('digest');
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });
});
`;

const e2eTest = `import { expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { expectError } from '../support/e2e/expect-error.ts';

it('POST /customers/{customerId}/orders creates an order', async () => {
  const body = { petId: 7 };

  const response = await call('POST', '/customers/acme/orders', { body });

  expect(response).toMatchObject({ status: 201, body: { ...body, customerId: 'acme' } });
});

it('GET /customers/{customerId}/orders responds with 404 for an id that no customer can have', async () => {
  expectError(await call('GET', '/customers/NOBODY/orders'), 404, 'not_found');
});
`;

const settings = `listOrders: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tables: { orders: { index: ['dynamodb:Query'] } },
  },
  createOrder: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tables: { orders: { table: ['dynamodb:PutItem'] } },
  },
  `;

/** Adds the orders of a customer: a table with text keys and an index, a list and a create. */
export const addEntity: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'To add an entity',
  maxFiles: 10,
  changesApi: true,
  follow(copy) {
    const [, steps = ''] = /### To add an entity\n(.*?)\n### /s.exec(copy.read('CONTRIBUTING.md')) ?? [];
    const [table = '', access = ''] = [...steps.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
    copy.insert('shared/tables/table-definitions.ts', '  pets: {', table);
    copy.write('shared/contract/schemas/order.ts', schema);
    copy.write('shared/tables/orders-table.ts', imports + access.replaceAll(/^ {3}/gm, ''));
    copy.edit('shared/contract/operations.ts', allOperations, operations);
    copy.insert('shared/contract/operations.ts', 'import { NewPet, Pet,', imported);
    copy.expectFailure(tsc, `${operationSettings}.* is missing .* listOrders`);
    copy.insert(operationSettings, 'getPet: {', settings);
    copy.expectFailure(vitest('test/infra/service/bundle.test.ts'), 'There is no functions/list-orders.ts');
    copy.write('functions/list-orders.ts', listHandler);
    copy.write('functions/create-order.ts', createHandler);
    copy.write('test/functions/orders.test.ts', test);
    copy.write('test/e2e/orders.test.ts', e2eTest);
  },

  /** The table is written, listed, watched and restorable. */
  async check(copy, { call }) {
    const orders: unknown[] = [];
    for (const petId of [1, 2, 3]) orders.push(await call('POST', '/customers/acme/orders', { petId }));
    assert.deepEqual(await call('GET', '/customers/acme/orders'), orders);
    assert.deepEqual(await call('GET', '/customers/other/orders'), []);

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
