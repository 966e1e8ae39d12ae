import fc from 'fast-check';
import { word } from './hostile-parts.ts';

/** A call of DynamoDB that may be malformed. */
export interface HostileCall {
  readonly operation: string;
  readonly body: string;
}

/** One of some JSON values, each a word. */
const json = (words: string) => word(words).map((text): unknown => JSON.parse(text));

const names = fc.constantFrom('id', 'status', 'a', '#n', ':v', '__proto__', 'constructor', 'length', '');

/** What may stand for the value of an attribute, good or not. */
const attributeValues = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 6, arbitrary: json('{"N":"1"} {"N":"12"} {"S":"sold"} {"S":""} {"B":"AA=="}') },
    json(`
      null [] {} 1 "text" true {"N":"x"} {"N":"1e999"} {"S":"a","N":"1"} {"BOOL":"maybe"} {"NULL":false} {"SS":[]}
      {"NS":["1","1"]} {"BS":[null]} {"L":[null]} {"M":{"a":null}} {"X":"unknown"}
    `),
    fc.record({ L: fc.array(tie('value'), { maxLength: 3 }) }),
    fc.record({ M: fc.dictionary(names, tie('value'), { maxKeys: 3 }) }),
  ),
})).value;

const items = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(names, attributeValues, { maxKeys: 4 }) },
  json('null [] 1 {"id":{"N":"12"},"status":{"S":"sold"}}'),
);

const keys = fc.oneof(json('{"id":{"N":"12"}} {"id":{"N":"1"}} {"id":null} null [null]'), items);

const expressions = fc
  .array(
    fc.oneof(
      word('SET REMOVE ADD DELETE AND OR NOT = <> < ( ) , . [0] [99999999999] + - id status a #n :v :w'),
      fc.stringMatching(/^(SET (#n|a|a\.b\[0\]) = (a \+ )?:v|(ADD|DELETE) a :v|REMOVE a\[1\]|#status = :v)$/),
      fc.stringMatching(
        /^(contains|begins_with|if_not_exists|list_append|attribute_type)\((a|status), :v\)$/,
      ),
      fc.stringMatching(/^(attribute_exists|size)\((id|a)\)( > :v)?$/),
      fc.stringMatching(/^(a|id) (BETWEEN :v AND (:v|x)|IN \(:v(, x)?\))$/),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(' '));

const condition = fc.oneof(
  fc.record({
    ComparisonOperator: word('EQ IN BETWEEN NULL CONTAINS LT'),
    AttributeValueList: fc.array(attributeValues, { maxLength: 3 }),
  }),
  fc.record({ Value: attributeValues, Exists: json('true false null "x"') }),
  fc.constant(null),
);
const conditions = fc.dictionary(names, condition, { maxKeys: 2 });

const update = fc.oneof(
  fc.record({ Action: word('PUT ADD DELETE X'), Value: attributeValues }, { requiredKeys: ['Action'] }),
  fc.constant(null),
);

const write = fc.oneof(
  fc.record({ PutRequest: fc.record({ Item: items }) }),
  fc.record({ DeleteRequest: fc.record({ Key: keys }) }),
  fc.constant(null),
);
const requests = fc.oneof(
  fc.record({ Keys: fc.array(keys, { maxLength: 3 }) }),
  fc.array(write, { maxLength: 3 }),
  fc.constant(null),
);

/** The parameters that some operation knows. */
const parameters: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Item: items,
  Key: keys,
  IndexName: json('"byStatus" "none" null 1'),
  Limit: json('1 0 -1 1e99 "x" null'),
  Segment: json('0 1 -1'),
  TotalSegments: json('1 2 1e9'),
  Select: word('COUNT ALL_ATTRIBUTES SPECIFIC_ATTRIBUTES'),
  ScanIndexForward: fc.boolean(),
  ConsistentRead: json('true false "x"'),
  ExclusiveStartKey: keys,
  ReturnValues: word('ALL_OLD ALL_NEW UPDATED_NEW UPDATED_OLD X'),
  ReturnConsumedCapacity: word('INDEXES TOTAL X'),
  ConditionExpression: expressions,
  FilterExpression: expressions,
  KeyConditionExpression: fc.oneof(fc.constant('#n = :v'), expressions),
  UpdateExpression: expressions,
  ProjectionExpression: expressions,
  ExpressionAttributeNames: json('{"#n":"id"} {"#n":"status","#status":"status"} {"#n":null} {}'),
  ExpressionAttributeValues: fc.dictionary(word(':v :w v'), attributeValues, { maxKeys: 2 }),
  AttributesToGet: fc.array(names, { maxLength: 2 }),
  Expected: conditions,
  KeyConditions: conditions,
  ScanFilter: conditions,
  QueryFilter: conditions,
  ConditionalOperator: word('AND OR'),
  AttributeUpdates: fc.dictionary(names, update, { maxKeys: 3 }),
  RequestItems: fc.dictionary(word('Pets None __proto__'), requests, { maxKeys: 2 }),
  ResourceArn: json('"arn:aws:dynamodb:us-east-1:000000000000:table/Pets" "x" null'),
  Tags: json('[{"Key":"a","Value":"b"}] [null] null'),
  TagKeys: json('["a"] [null]'),
};

const operations = word(`
  PutItem UpdateItem DeleteItem GetItem Query Scan BatchGetItem BatchWriteItem PutItem UpdateItem Query Scan DescribeTable
  ListTables TagResource UntagResource ListTagsOfResource DescribeTimeToLive CreateTable constructor
`);

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
    .subarray(Object.keys(parameters), { maxLength: 5 })
    .chain((chosen) =>
      fc.record({
        TableName: json('"Pets" "Pets" "Pets" "Pets" "None" null 1'),
        ...Object.fromEntries(
          [...(expected.get(operation) ?? []), ...chosen].map((name) => [
            name,
            parameters[name] ?? fc.constant(1),
          ]),
        ),
      }),
    )
    .map((call) => JSON.stringify(call));

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
