import fc from 'fast-check';

/** A call of DynamoDB that may be malformed. */
export interface HostileCall {
  readonly operation: string;
  readonly body: string;
}

const names = fc.constantFrom('id', 'status', 'a', '#n', ':v', '__proto__', 'constructor', 'length', '');

/** What may stand for the value of an attribute, good or not. */
const attributeValues = fc.letrec((tie) => ({
  value: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom({ N: '1' }, { N: '12' }, { S: 'sold' }, { S: '' }, { B: 'AA==' }),
    },
    fc.constantFrom<unknown>(
      null,
      [],
      {},
      1,
      'text',
      true,
      { N: 'x' },
      { N: '1e999' },
      { S: 'a', N: '1' },
      { BOOL: 'maybe' },
      { NULL: false },
      { SS: [] },
      { NS: ['1', '1'] },
      { BS: [null] },
      { L: [null] },
      { M: { a: null } },
      { X: 'unknown' },
    ),
    fc.record({ L: fc.array(tie('value'), { maxLength: 3 }) }),
    fc.record({ M: fc.dictionary(names, tie('value'), { maxKeys: 3 }) }),
  ),
})).value;

const items = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(names, attributeValues, { maxKeys: 4 }) },
  fc.constantFrom<unknown>(null, [], 1, { id: { N: '12' }, status: { S: 'sold' } }),
);

const keys = fc.oneof(
  fc.constantFrom<unknown>({ id: { N: '12' } }, { id: { N: '1' } }, { id: null }, null, [null]),
  items,
);

const expressions = fc
  .array(
    fc.constantFrom(
      ...'SET REMOVE ADD DELETE AND OR NOT = <> < ( ) , . [0] [99999999999] + - id status a #n :v :w'.split(
        ' ',
      ),
      ...'attribute_exists(id) size(a) contains(a, :v) begins_with(status, :v) if_not_exists(a, :v)'.split(
        ' (',
      ),
      'list_append(a, :v)',
      'SET #n = :v',
      'SET a = a + :v',
      'SET a.b[0] = :v',
      'ADD a :v',
      'DELETE a :v',
      'REMOVE a[1]',
      'size(a) > :v',
      'a BETWEEN :v AND :v',
      'a IN (:v)',
      'id IN (:v, x)',
      'id BETWEEN :v AND x',
      'attribute_type(a, :v)',
      '#status = :v',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(' '));

const conditions = fc.dictionary(
  names,
  fc.oneof(
    fc.record({
      ComparisonOperator: fc.constantFrom('EQ', 'IN', 'BETWEEN', 'NULL', 'CONTAINS', 'LT'),
      AttributeValueList: fc.array(attributeValues, { maxLength: 3 }),
    }),
    fc.record({ Value: attributeValues, Exists: fc.constantFrom<unknown>(true, false, null, 'x') }),
    fc.constant(null),
  ),
  { maxKeys: 2 },
);

const updates = fc.dictionary(
  names,
  fc.oneof(
    fc.record({ Action: fc.constantFrom('PUT', 'ADD', 'DELETE', 'X'), Value: attributeValues }),
    fc.record({ Action: fc.constantFrom('ADD', 'DELETE') }),
    fc.constant(null),
  ),
  { maxKeys: 3 },
);

const requestsByTable = (request: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom('Pets', 'None', '__proto__'), fc.oneof(request, fc.constant(null)), {
    maxKeys: 2,
  });

/** The parameters that some operation knows. */
const parameters: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Item: items,
  Key: keys,
  IndexName: fc.constantFrom<unknown>('byStatus', 'none', null, 1),
  Limit: fc.constantFrom<unknown>(1, 0, -1, 1e99, 'x', null),
  Segment: fc.constantFrom<unknown>(0, 1, -1),
  TotalSegments: fc.constantFrom<unknown>(1, 2, 1e9),
  Select: fc.constantFrom('COUNT', 'ALL_ATTRIBUTES', 'SPECIFIC_ATTRIBUTES'),
  ScanIndexForward: fc.boolean(),
  ConsistentRead: fc.constantFrom<unknown>(true, false, 'x'),
  ExclusiveStartKey: keys,
  ReturnValues: fc.constantFrom('ALL_OLD', 'ALL_NEW', 'UPDATED_NEW', 'UPDATED_OLD', 'X'),
  ReturnConsumedCapacity: fc.constantFrom('INDEXES', 'TOTAL', 'X'),
  ConditionExpression: expressions,
  FilterExpression: expressions,
  KeyConditionExpression: fc.oneof(fc.constant('#n = :v'), expressions),
  UpdateExpression: expressions,
  ProjectionExpression: expressions,
  ExpressionAttributeNames: fc.constantFrom<unknown>(
    { '#n': 'id' },
    { '#n': 'status', '#status': 'status' },
    { '#n': null },
    {},
  ),
  ExpressionAttributeValues: fc.dictionary(fc.constantFrom(':v', ':w', 'v'), attributeValues, { maxKeys: 2 }),
  AttributesToGet: fc.array(names, { maxLength: 2 }),
  Expected: conditions,
  KeyConditions: conditions,
  ScanFilter: conditions,
  QueryFilter: conditions,
  ConditionalOperator: fc.constantFrom('AND', 'OR'),
  AttributeUpdates: updates,
  RequestItems: fc.oneof(
    requestsByTable(fc.record({ Keys: fc.array(keys, { maxLength: 3 }) })),
    requestsByTable(
      fc.array(
        fc.oneof(
          fc.record({ PutRequest: fc.record({ Item: items }) }),
          fc.record({ DeleteRequest: fc.record({ Key: keys }) }),
          fc.constant(null),
        ),
        { maxLength: 3 },
      ),
    ),
  ),
  ResourceArn: fc.constantFrom<unknown>('arn:aws:dynamodb:us-east-1:000000000000:table/Pets', 'x', null),
  Tags: fc.constantFrom<unknown>([{ Key: 'a', Value: 'b' }], [null], null),
  TagKeys: fc.constantFrom<unknown>(['a'], [null]),
};

const operations = fc.constantFrom(
  ...['PutItem', 'UpdateItem', 'DeleteItem', 'GetItem', 'Query', 'Scan', 'BatchGetItem', 'BatchWriteItem'],
  ...[
    'PutItem',
    'UpdateItem',
    'Query',
    'Scan',
    'DescribeTable',
    'ListTables',
    'TagResource',
    'UntagResource',
  ],
  ...['ListTagsOfResource', 'DescribeTimeToLive', 'CreateTable', 'constructor'],
);

/** The parameters that an operation takes for sure, so that a call comes further than the first check. */
const expected = new Map<string, readonly string[]>(
  Object.entries({
    PutItem: ['Item'],
    UpdateItem: ['Key'],
    DeleteItem: ['Key'],
    GetItem: ['Key'],
    BatchGetItem: ['RequestItems'],
    BatchWriteItem: ['RequestItems'],
    TagResource: ['ResourceArn', 'Tags'],
    UntagResource: ['ResourceArn', 'TagKeys'],
    ListTagsOfResource: ['ResourceArn'],
  }),
);

const bodies = (operation: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom<unknown>('Pets', 'Pets', 'Pets', 'Pets', 'None', null, 1),
      fc.subarray(Object.keys(parameters), { maxLength: 5 }),
    )
    .chain(([TableName, chosen]) =>
      fc
        .record(
          Object.fromEntries(
            [...(expected.get(operation) ?? []), ...chosen].map((name) => [
              name,
              parameters[name] ?? fc.constant(1),
            ]),
          ),
        )
        .map((call) => JSON.stringify({ TableName, ...call })),
    );

const deep = fc
  .tuple(fc.integer({ min: 1, max: 3000 }), fc.constantFrom(['{"L":[', ']}'], ['{"M":{"a":', '}}']))
  .map(([depth, [open = '', close = '']]) => {
    const nested = `${open.repeat(depth)}{"S":"x"}${close.repeat(depth)}`;
    return `{"TableName":"Pets","Item":{"id":{"N":"12"},"status":{"S":"sold"},"a":${nested}}}`;
  });

const calls: fc.Arbitrary<HostileCall> = operations.chain((operation) =>
  fc
    .oneof(
      { weight: 20, arbitrary: bodies(operation) },
      { weight: 1, arbitrary: deep },
      { weight: 1, arbitrary: fc.oneof(fc.json({ maxDepth: 3 }), fc.string()) },
    )
    .map((body) => ({ operation, body })),
);

/** So many hostile calls, the same for the same seed. */
export const hostileCalls = (seed: number, count: number): readonly HostileCall[] =>
  fc.sample(calls, { seed, numRuns: count });
