import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RepositoryCopy } from './repository-copy.ts';
import { type Trial, tsc, vitest } from './trial.ts';

const operationSettings = 'infra/settings/limits-and-permissions.ts';
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
  version: v.pipe(v.bigint(), v.minValue(1n)),
  state: v.string(),
});
export type Order = v.InferOutput<typeof Order>;
`;

const entityTag = `import * as v from 'valibot';
import type { ErrorDefinition } from '../contract/error-table.ts';
import type { OptionalParameter, ResponseHeader } from '../contract/operation.ts';
import type { Order } from './order.ts';

// A change says which version of an order it is of, so that none is lost (RFC 9110 §13.1.1, RFC 6585 §3).

export const isWithoutVersion = {
  code: 'precondition_required',
  status: 428,
  message: 'Send the ETag of the order as If-Match.',
} as const satisfies ErrorDefinition;

export const isOfOtherVersion = {
  code: 'precondition_failed',
  status: 412,
  message: 'The order has changed: list it, and send its new version as If-Match.',
} as const satisfies ErrorDefinition;

const format = 'must be a version in quotes';

/** Optional, so that a request without it gets a 428. */
export const ifMatch = {
  'If-Match': {
    description: 'The ETag of the order that the change is of.',
    schema: v.pipe(v.string(), v.regex(/^"[1-9]\\d{0,14}"$/, format)),
    example: '"1"',
  },
} as const satisfies Record<string, OptionalParameter>;

export const entityTag = {
  ETag: { description: 'The version, in quotes.', schema: v.string(), example: '"1"', isRequired: true },
} as const satisfies Record<string, ResponseHeader>;

export const tagOf = ({ version }: Order) => \`"\${version}"\`;

export const versionOf = (tag: string) => BigInt(tag.slice(1, -1));
`;

const operations = `import * as v from 'valibot';
import type { ErrorDefinition } from '../contract/error-table.ts';
import type { Operation } from '../contract/operation.ts';
import { idempotencyKey, idempotencyReplayed } from '../contract/idempotency-key.ts';
import { nextPage, pageQuery, pageSize } from '../paging/page-query.ts';
import { entityTag, ifMatch, isOfOtherVersion, isWithoutVersion } from './entity-tag.ts';
import { CustomerId, NewOrder, Order } from './order.ts';

/** An order in every example. */
const exampleOrder: Order = { customerId: 'acme', orderId: 'o1', petId: 7n, version: 1n, state: 'placed' };

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
    headers: { ...idempotencyReplayed, ...entityTag },
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
  ],
} as const satisfies Operation;

const ofOrder = {
  ...ofCustomer,
  orderId: { description: 'The order.', schema: Order.entries.orderId, example: exampleOrder.orderId },
};

/** Changes an order, unless it has changed since it was read. */
export const changeOrder = {
  operationId: 'changeOrder',
  method: 'PATCH',
  path: '/customers/{customerId}/orders/{orderId}',
  summary: 'Change an order',
  description: 'Orders another pet instead.',
  parameters: { path: ofOrder, header: ifMatch },
  body: { schema: NewOrder, example: { petId: 8n } },
  success: 200,
  response: { description: 'The order.', schema: Order, example: exampleOrder, headers: entityTag },
  errors: [
    'invalid_json',
    'invalid_body',
    'invalid_header',
    'invalid_request',
    'not_found',
    isOfOtherVersion,
    'payload_too_large',
    'unsupported_media_type',
    isWithoutVersion,
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
  description: 'Deletes an order that has not been shipped, whatever its version.',
  parameters: { path: ofOrder },
  success: 204,
  response: { description: 'The order was deleted.', headers: {} },
  errors: ['invalid_request', 'not_found', isShipped],
} as const satisfies Operation;

/** Every operation on orders. */
export const orderOperations = { listOrders, createOrder, changeOrder, deleteOrder } as const satisfies Record<string, Operation>;
`;

const tableImports = `import type { TableDefinition } from '../tables/table.ts';
import { Order } from './order.ts';

/** The table of orders. */
`;

/** Returns the handlers, with the code in the document. */
const listHandler = (code: string) => `import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/init.ts';
import { listOrders } from '../shared/orders/operations.ts';
import { orderTable } from '../shared/orders/order-table.ts';
import { nextPageLink } from '../shared/paging/page-query.ts';
import { readPage } from '../shared/paging/read-page.ts';
import { openTable } from '../shared/tables/table.ts';

const orders = openTable(orderTable);
const { handle, parse, respond } = serve(listOrders);

export const handler = handle(async (event) => {
  const { path, query, url } = parse(event);
  ${code}
  return respond(items, nextPageLink(url, query, next));
});

const where = { field: 'customerId', equals: 'none', sortedBy: 'petId' } as const;
await warmUp(() => readPage(orders, { limit: 1, cursor: undefined, where }));
`;

const createHandler = (code: string) => `import { randomUUID } from 'node:crypto';
import { jsonBody } from '../shared/http/json-body.ts';
import { clientOf } from '../shared/http/request.ts';
import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/init.ts';
import { tagOf } from '../shared/orders/entity-tag.ts';
import { createOrder } from '../shared/orders/operations.ts';
import { orderTable } from '../shared/orders/order-table.ts';
import { insertNothing, insertOnce } from '../shared/tables/insert-once.ts';
import { openTable } from '../shared/tables/table.ts';

const orders = openTable(orderTable);
const { handle, parse, respond } = serve(createOrder, jsonBody);

export const handler = handle(async (event) => {
  const { path, header, body: newOrder } = parse(event);
  const idempotencyKey = header['Idempotency-Key'];
  ${code}
  return respond(item, {
    ETag: tagOf(item),
    ...(idempotencyKey !== undefined && isReplay && { 'Idempotency-Replayed': 'true' }),
  });
});

await warmUp(() => insertNothing(orders));
`;

const changeHandler = `import { ApiError } from '../shared/contract/error-table.ts';
import { jsonBody } from '../shared/http/json-body.ts';
import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/init.ts';
import { isOfOtherVersion, isWithoutVersion, tagOf, versionOf } from '../shared/orders/entity-tag.ts';
import { changeOrder } from '../shared/orders/operations.ts';
import { orderTable } from '../shared/orders/order-table.ts';
import { changeNothing, updateIf } from '../shared/tables/change-item.ts';
import { openTable } from '../shared/tables/table.ts';

const orders = openTable(orderTable);
const { handle, parse, respond } = serve(changeOrder, jsonBody);

export const handler = handle(async (event) => {
  const { path: key, header, body: changes } = parse(event);
  const tag = header['If-Match'];
  const version = tag === undefined ? 0n : versionOf(tag);

  // No order has version 0, so a request without a version learns only whether there is an order.
  const change = { key, expected: { version }, changes: { ...changes, version: version + 1n } };
  const result = await updateIf(orders, change);

  if (result.outcome === 'absent') throw new ApiError('not_found');
  if (result.outcome === 'refused') throw new ApiError(tag === undefined ? isWithoutVersion : isOfOtherVersion);
  return respond(result.item, { ETag: tagOf(result.item) });
});

await warmUp(() => changeNothing(orders));
`;

const deleteHandler = `import { ApiError } from '../shared/contract/error-table.ts';
import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/init.ts';
import { deleteOrder, isShipped } from '../shared/orders/operations.ts';
import { orderTable } from '../shared/orders/order-table.ts';
import { changeNothing, deleteIf } from '../shared/tables/change-item.ts';
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

await warmUp(() => changeNothing(orders));
`;

const test = `import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { handler as change } from '../../functions/change-order.ts';
import { handler as create } from '../../functions/create-order.ts';
import { handler as remove } from '../../functions/delete-order.ts';
import { handler as list } from '../../functions/list-orders.ts';
import { Order } from '../../shared/orders/order.ts';
import { orderTable } from '../../shared/orders/order-table.ts';
import { readPage } from '../../shared/paging/read-page.ts';
import { updateIf } from '../../shared/tables/change-item.ts';
import { openTable } from '../../shared/tables/table.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { invoke, type TestRequest } from '../support/functions/invoke.ts';
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
    const orders = openTable(orderTable);
    const ids = new Set();
    for (let cursor: string | undefined, isLast = false; !isLast; ) {
      const { items, next } = await readPage(orders, { limit: 2, cursor });
      for (const { customerId, orderId } of items) ids.add(customerId + orderId);
      cursor = next;
      isLast = next === undefined;
    }

    expect(ids.size).toBe(6);
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

  it('are changed once per version, and deleted', async () => {
    const { body, headers } = await order('parallel', 'key', 1);
    const { orderId } = v.parse(Order, body);
    const pathParameters = { customerId: 'parallel', orderId };
    const changeWith = (headers: NonNullable<TestRequest['headers']>, petId: number) =>
      invoke(change, { method: 'PATCH', pathParameters, headers, body: JSON.stringify({ petId }) });
    const tag = { 'If-Match': [String(headers['ETag'])] };

    const changes = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((petId) => changeWith(tag, petId)));

    expect(changes.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
    expect(changes.find(({ status }) => status === 200)?.headers['ETag']).toBe('"2"');
    expect(await changeWith({}, 9)).toMatchObject({ status: 428, body: { code: 'precondition_required' } });

    expect(await invoke(remove, { method: 'DELETE', pathParameters })).toMatchObject({ status: 204 });

    expect(await changeWith({ 'If-Match': ['"2"'] }, 9)).toMatchObject({ status: 404 });
    expect(await order('parallel', 'key', 1)).toMatchObject({ status: 422 });
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

const putOrder = "orders: { table: ['dynamodb:PutItem'] }";

const settings = `listOrders: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tableActions: { orders: { index: ['dynamodb:Query'] } },
  },
  createOrder: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tableActions: { ${putOrder} },
  },
  changeOrder: {
    throttling: { rateLimit: 50, burstLimit: 10 },
    tableActions: { orders: { table: ['dynamodb:UpdateItem'] } },
  },
  deleteOrder: {
    throttling: { rateLimit: 50, burstLimit: 10 },
    tableActions: { orders: { table: ['dynamodb:UpdateItem'] } },
  },
  `;

/** Adds the orders of a customer: a table with text keys and an index, and four operations. */
export function addOrders(copy: RepositoryCopy): void {
  const [, steps = ''] = /### To add an entity\n(.*?)\n### /s.exec(copy.read('CONTRIBUTING.md')) ?? [];
  const [table = '', create = '', list = ''] = [...steps.matchAll(/```ts\n(.*?)```/gs)].map(
    ([, code]) => code,
  );
  copy.write('shared/orders/order.ts', schema);
  copy.write('shared/orders/order-table.ts', tableImports + table.replaceAll(/^ {3}/gm, ''));
  copy.insert(service, 'import { petTable }', "import { orderTable } from './orders/order-table.ts';\n");
  copy.edit(service, '[petTable,', '[petTable, orderTable,');
  copy.write('shared/orders/entity-tag.ts', entityTag);
  copy.write('shared/orders/operations.ts', operations);
  copy.insert(service, 'import { petTable }', "import { orderOperations } from './orders/operations.ts';\n");
  copy.edit(service, 'operations = petOperations', 'operations = { ...petOperations, ...orderOperations }');
  copy.expectFailure(tsc, `${operationSettings}.* is missing .* listOrders`);
  copy.insert(operationSettings, 'createPet: {', settings);
  copy.expectFailure(vitest('test/infra/service/bundle.test.ts'), 'There is no functions/list-orders.ts');
  copy.write('functions/list-orders.ts', listHandler(list));
  copy.write(
    'functions/create-order.ts',
    createHandler(create.replace('...newOrder,', "...newOrder,\n    version: 1n,\n    state: 'placed',")),
  );
  copy.write('functions/change-order.ts', changeHandler);
  copy.write('functions/delete-order.ts', deleteHandler);
  copy.write('test/functions/orders.test.ts', test);
  copy.write('test/e2e/orders.test.ts', e2eTest);
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
  copy.insert(create, '  const creation', check);
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
  const e2eTest = 'test/e2e/orders.test.ts';
  copy.insert(
    e2eTest,
    'import { expectError',
    "import { createOnce, petOf } from '../support/e2e/pets.ts';\n",
  );
  copy.edit(e2eTest, 'petId: 7', 'petId: petOf(await createOnce({})).id');
}

/** Adds the orders, and a create that looks for the pet. */
export const addEntity: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'To add an entity',
  files: 13,
  changesApi: true,
  follow(copy) {
    addOrders(copy);
    addCheck(copy);
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

    const declared = copy.template('production');
    const alarms = Object.values<{ Type: string }>(declared.Resources)
      .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
      .filter((alarm) => JSON.stringify(alarm).includes('"TablesOrders'));
    assert.ok(alarms.length > 0, 'No alarm watches the table.');

    const restored = "\n    restoredTables: { orders: 'PetStore-production-restored-orders-1' },";
    copy.edit('infra/settings/stages.ts', '  production: {', `  production: {${restored}`);
    const { Resources, Outputs } = copy.template('production');
    assert.equal(Outputs.OrdersTableName.Value, 'PetStore-production-restored-orders-1');
    assert.ok(!Object.keys(Resources).some((id) => id.startsWith('TablesOrders')));
  },
};
