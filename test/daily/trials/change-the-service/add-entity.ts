import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RepositoryCopy } from '../repository-copy.ts';
import { addSettings, notFoundTest, operationSettings, type Trial, tsc, vitest } from '../trial.ts';

const service = 'shared/service.ts';

const schema = `import * as v from 'valibot';
import { errorTable } from '../contract/error-table.ts';

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
  state: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
});
export type Order = v.InferOutput<typeof Order>;
`;

const operations = `import * as v from 'valibot';
import type { ErrorDefinition } from '../contract/error-table.ts';
import type { Operation } from '../contract/operation.ts';
import { idempotencyKey, idempotencyReplayed } from '../contract/idempotency-key.ts';
import { nextPage, pageQuery, pageSize } from '../paging/page-query.ts';
import { CustomerId, NewOrder, Order } from './order.ts';

/** An order in every example. */
const exampleOrder: Order = { customerId: 'acme', orderId: 'o1', petId: 7n, state: 'placed' };

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
    headers: nextPage('/customers/acme/orders', 'MS5jdXN0b21lcklkLHBldElkLmFjbWUubzEsNy40MjA1MDE0ODE1'),
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
  body: { schema: NewOrder, example: { petId: exampleOrder.petId } },
  success: 201,
  response: {
    description: 'The order was created.',
    schema: Order,
    example: exampleOrder,
    headers: idempotencyReplayed,
  },
  errors: [
    'invalid_json',
    'invalid_body',
    'invalid_header',
    'invalid_request',
    'not_found',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_key_reused',
    'already_deleted',
  ],
} as const satisfies Operation;

export const isShipped = {
  code: 'order_shipped',
  status: 409,
  message: 'The order has been shipped: it stays.',
} as const satisfies ErrorDefinition;

/** Deletes an order that has not been shipped. */
export const deleteOrder = {
  operationId: 'deleteOrder',
  method: 'DELETE',
  path: '/customers/{customerId}/orders/{orderId}',
  summary: 'Delete an order',
  description: 'Deletes an order that has not been shipped.',
  parameters: {
    path: {
      ...ofCustomer,
      orderId: { description: 'The order.', schema: Order.entries.orderId, example: exampleOrder.orderId },
    },
  },
  success: 204,
  response: { description: 'The order was deleted.', headers: {} },
  errors: ['invalid_request', 'not_found', isShipped],
} as const satisfies Operation;

/** Every operation on orders. */
export const orderOperations = { listOrders, createOrder, deleteOrder } as const satisfies Record<string, Operation>;
`;

const tableImports = `import type { TableDefinition } from '../tables/table.ts';
import { Order } from './order.ts';

/** The table of orders. */
`;

const deleteHandler = `import { ApiError } from '../shared/contract/error-table.ts';
import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/init.ts';
import { deleteOrder, isShipped } from '../shared/orders/operations.ts';
import { orderTable } from '../shared/orders/order-table.ts';
import { deleteIf, sendRefusedUpdate } from '../shared/tables/change-item.ts';
import { openTable } from '../shared/tables/table.ts';

const orders = openTable(orderTable);
const { handle, parse, respond } = serve(deleteOrder);

export const handler = handle(async (event) => {
  const { path: key } = parse(event);

  const { outcome } = await deleteIf(orders, { key, expected: { state: 'placed' } });

  if (outcome === 'absent') throw new ApiError('not_found');
  if (outcome === 'refused') throw new ApiError(isShipped);
  return respond(undefined, {});
});

await warmUp(() => sendRefusedUpdate(orders));
`;

const test = `import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handler as create } from '../../functions/create-order.ts';
import { handler as remove } from '../../functions/delete-order.ts';
import { handler as list } from '../../functions/list-orders.ts';
import { Order } from '../../shared/orders/order.ts';
import { orderTable } from '../../shared/orders/order-table.ts';
import { updateIf } from '../../shared/tables/change-item.ts';
import { openTable } from '../../shared/tables/table.ts';
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

  it('are created once per key', async () => {
    const first = await order('acme', 'key-1', 1);
    const other = await order('acme', 'key-1', 2);

    expect(await allItems(orderTable)).toHaveLength(6);
    expect(first).toMatchObject({
      status: 201,
      headers: { 'Idempotency-Replayed': 'true' },
      body: { customerId: 'acme', petId: 1n },
    });
    expect(first.body).not.toHaveProperty('digest');
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  it('are not deleted once they are shipped', async () => {
    const { body } = await order('shipped', 'key', 1);
    const { orderId } = v.parse(Order, body);
    const key = { customerId: 'shipped', orderId };
    await updateIf(openTable(orderTable), { key, changes: { state: 'shipped' } });

    const response = await invoke(remove, { method: 'DELETE', pathParameters: key });

    expect(response).toMatchObject({ status: 409, body: { code: 'order_shipped' } });
  });
});
`;

const putOrder = "orders: { table: ['dynamodb:PutItem'] }";

/** Adds the handlers, two of them from those of pets with the code in the document. */
function addHandlers(copy: RepositoryCopy, create: string, list: string): void {
  const ofOrders = (handler: string) =>
    copy.read(handler).replaceAll('pet', 'order').replaceAll('Pet', 'Order');

  const listOrders = 'functions/list-orders.ts';
  copy.write(listOrders, ofOrders('functions/list-pets.ts'));
  copy.edit(listOrders, '{ query, url }', '{ path, query, url }');
  copy.edit(listOrders, /const where = .* where \}\);/s, list);
  copy.edit(
    listOrders,
    "{ field: 'status', equals: 'available' }",
    "{ field: 'customerId', equals: 'none', sortedBy: 'petId' }",
  );

  const createOrder = 'functions/create-order.ts';
  copy.write(createOrder, ofOrders('functions/create-pet.ts'));
  copy.edit(createOrder, '{ header, body: newOrder, url }', '{ path, header, body: newOrder }');
  const placed = create.replace('...newOrder,', "...newOrder, state: 'placed',");
  copy.edit(createOrder, /const client = .*newOrder \}\)\);/s, placed);
  const respond = "return respond(item, isReplay ? { 'Idempotency-Replayed': 'true' } : {});";
  copy.edit(createOrder, /logInfo\(.*return .*?\n/s, `${respond}\n`);
  copy.edit(createOrder, /import .*logInfo.*\n/, '');

  copy.write('functions/delete-order.ts', deleteHandler);
}

/** Adds the orders of a customer: a table with text keys and an index, and three operations. */
export function addOrders(copy: RepositoryCopy): void {
  const [, steps = ''] = /### To add an entity\n(.*?)\n### /s.exec(copy.read('CONTRIBUTING.md')) ?? [];
  const [table = '', create = '', list = ''] = [...steps.matchAll(/```ts\n(.*?)```/gs)].map(
    ([, code]) => code,
  );
  copy.write('shared/orders/order.ts', schema);
  copy.write('shared/orders/order-table.ts', tableImports + table.replaceAll(/^ {3}/gm, ''));
  copy.insert(service, 'import { petTable }', "import { orderTable } from './orders/order-table.ts';\n");
  copy.edit(service, '[petTable,', '[petTable, orderTable,');
  copy.write('shared/orders/operations.ts', operations);
  copy.insert(service, 'import { petTable }', "import { orderOperations } from './orders/operations.ts';\n");
  copy.edit(service, 'operations = petOperations', 'operations = { ...petOperations, ...orderOperations }');
  copy.expectFailure(tsc, `${operationSettings}.* is missing .* listOrders`);
  addSettings(copy, 'listOrders', "orders: { index: ['dynamodb:Query'] }");
  addSettings(copy, 'createOrder', putOrder);
  const updateOrder = "orders: { table: ['dynamodb:UpdateItem'] }";
  addSettings(copy, 'deleteOrder', updateOrder, 'rateLimit: 50, burstLimit: 10');
  copy.expectFailure(vitest('test/infra/service/bundle.test.ts'), 'There is no functions/list-orders.ts');
  addHandlers(copy, create, list);
  copy.write('test/functions/orders.test.ts', test);
  copy.write('test/e2e/orders.test.ts', notFoundTest("'GET', '/customers/NOBODY/orders'"));
}

const check = `  const pet = await readItem(pets, { id: newOrder.petId });
  if (!pet) throw new ApiError('not_found', 'There is no such pet.');
`;

const checkImports = `import { petTable } from '../shared/pets/pet-table.ts';
import { readItem } from '../shared/tables/read-item.ts';
`;

const checkTest = `
  it('are of a pet', async () => {
    const response = await order('acme', 'key-6', 6);

    expect(response).toMatchObject({ status: 404, body: { message: 'There is no such pet.' } });
  });
`;

/** Lets a create reject a pet that does not exist. */
function addCheck(copy: RepositoryCopy): void {
  const create = 'functions/create-order.ts';
  copy.insert(
    create,
    'import { jsonBody }',
    "import { ApiError } from '../shared/contract/error-table.ts';\n",
  );
  copy.insert(create, 'import { openTable }', checkImports);
  copy.insert(create, 'const { handle,', 'const pets = openTable(petTable);\n');
  copy.insert(create, '  const request', check);
  // Not imported: a copy without pets has this file, too.
  const [, id = ''] =
    /examplePet: Pet = \{ id: (\d+n)/.exec(readFileSync('shared/pets/operations.ts', 'utf8')) ?? [];
  copy.edit('shared/orders/operations.ts', 'petId: 7n', `petId: ${id}`);

  copy.expectFailure(vitest('test/infra/service/permissions.test.ts'), 'CreateOrder.*dynamodb:PutItem');
  copy.edit(operationSettings, putOrder, `${putOrder}, pets: { table: ['dynamodb:GetItem'] }`);
  const test = 'test/functions/orders.test.ts';
  copy.insert(test, 'import { allItems', "import { putPet } from '../support/functions/stored-pets.ts';\n");
  copy.insert(test, '    for (const petId', '    for (const id of [1n, 2n, 3n, 4n, 5n]) await putPet(id);\n');
  copy.insert(test, "\n  it('are created once", checkTest);
}

const listByState = `/** A page of the orders of all customers. */
export const listAllOrders = {
  operationId: 'listAllOrders',
  method: 'GET',
  path: '/orders',
  summary: 'List orders',
  description: 'Returns a page of the orders of all customers.',
  parameters: {
    query: { ...pageQuery, state: { description: 'Only these.', schema: Order.entries.state, example: 'placed' } },
  },
  success: 200,
  response: {
    description: 'A page of orders.',
    schema: v.pipe(v.array(Order), v.maxLength(pageSize.maximum)),
    example: [exampleOrder],
    headers: nextPage('/orders', 'MS5jdXN0b21lcklkLG9yZGVySWQuLmFjbWUsbzEuMTYxMzY3NjU5'),
  },
  errors: ['invalid_query', 'invalid_request'],
} as const satisfies Operation;

/** Every operation on orders. */
export const orderOperations = { listAllOrders, `;

const listByStateTest = `
it('the orders in a state are listed', async () => {
  const { handler } = await import('../../functions/list-all-orders.ts');
  const { body } = await order('stateful', 'key', 1);
  const { orderId } = v.parse(Order, body);
  await updateIf(openTable(orderTable), { key: { customerId: 'stateful', orderId }, changes: { state: 'packed' } });

  expect(await invoke(handler, { query: 'state=packed' })).toMatchObject({ body: [{ orderId }] });
});
`;

/** Adds a list that filters by an index of the new table, which a deploy creates together with the table. */
function addFilter(copy: RepositoryCopy): void {
  const table = 'shared/orders/order-table.ts';
  copy.edit(table, "sort: 'petId' }", "sort: 'petId' }, byState: { partition: 'state', sort: 'orderId' }");
  copy.edit(table, "petId: 'N'", "petId: 'N', state: 'S'");
  copy.edit(
    'shared/orders/operations.ts',
    '/** Every operation on orders. */\nexport const orderOperations = { ',
    listByState,
  );
  const limits = 'rateLimit: 50, burstLimit: 10';
  const actions = "orders: { table: ['dynamodb:Scan'], index: ['dynamodb:Query'] }";
  addSettings(copy, 'listAllOrders', actions, limits);
  const handler = copy
    .read('functions/list-pets.ts')
    .replaceAll('listPets', 'listAllOrders')
    .replaceAll('pet', 'order')
    .replaceAll('status', 'state')
    .replace("'available'", "'placed'");
  copy.write('functions/list-all-orders.ts', handler);
  copy.run(vitest('test/infra/service/tables.test.ts'));
  const test = 'test/functions/orders.test.ts';
  copy.write(test, copy.read(test) + listByStateTest);
}

/** Adds the orders, a create that looks for the pet, and a filter. */
export const addEntity: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'To add an entity',
  files: 12,
  changesApi: true,
  follow(copy) {
    addOrders(copy);
    addCheck(copy);
    addFilter(copy);
  },

  /** The table is written, listed, watched and restorable. */
  async check(copy, { call }) {
    const orders: { petId: number }[] = [];
    for (const key of ['1', '2', '3']) {
      const { id } = await call(
        'POST',
        '/pets',
        { name: 'Bella', categoryId: 1 },
        { 'Idempotency-Key': key },
      );
      orders.push(await call('POST', '/customers/acme/orders', { petId: id }));
    }
    orders.sort((one, other) => Number(one.petId) - Number(other.petId));
    assert.deepEqual(await call('GET', '/customers/acme/orders'), orders);
    assert.deepEqual(await call('GET', '/customers/other/orders'), []);
    assert.equal((await call('POST', '/customers/acme/orders', { petId: 1 })).status, 404);
    assert.deepEqual(new Set(await call('GET', '/orders?state=placed')), new Set(orders));

    const declared = copy.template('production');
    const alarms = Object.values<{ Type: string }>(declared.Resources)
      .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
      .filter((alarm) => JSON.stringify(alarm).includes('"TablesOrders'));
    assert.ok(alarms.length > 0, 'No alarm watches the table.');
  },
};
