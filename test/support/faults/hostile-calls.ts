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

/** What stands in place of an expression in older calls: a condition, or an update. */
const legacy = fc.dictionary(
  names,
  fc.oneof(
    fc.record({
      ComparisonOperator: word('EQ IN BETWEEN NULL CONTAINS LT'),
      AttributeValueList: fc.array(attributeValues, { maxLength: 3 }),
    }),
    fc.record(
      { Value: attributeValues, Exists: json('true false null "x"'), Action: word('PUT ADD DELETE X') },
      { requiredKeys: [] },
    ),
    fc.constant(null),
  ),
  { maxKeys: 2 },
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

/** What every call has, so that each operation finds what it takes for sure; it ignores what it does not know. */
const expected = {
  TableName: json('"Pets" "Pets" "Pets" "Pets" "None" null 1'),
  Item: items,
  Key: keys,
  RequestItems: fc.dictionary(word('Pets None __proto__'), requests, { maxKeys: 2 }),
  ResourceArn: json('"arn:aws:dynamodb:us-east-1:000000000000:table/Pets" "x" null'),
  Tags: json('[{"Key":"a","Value":"b"}] [null] [null] null'),
  TagKeys: json('["a"] [null]'),
};

/** What some operations know besides. */
const parameters: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
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
  Expected: legacy,
  KeyConditions: legacy,
  ScanFilter: legacy,
  QueryFilter: legacy,
  ConditionalOperator: word('AND OR'),
  AttributeUpdates: legacy,
};

const operations = word(`
  PutItem UpdateItem DeleteItem GetItem Query Scan BatchGetItem BatchWriteItem PutItem UpdateItem Query Scan DescribeTable
  ListTables TagResource UntagResource ListTagsOfResource DescribeTimeToLive CreateTable constructor
`);

const bodies = fc
  .subarray(Object.entries(parameters), { maxLength: 5 })
  .chain((chosen) => fc.record({ ...expected, ...Object.fromEntries(chosen) }))
  .map((call) => JSON.stringify(call));

const deep = fc
  .tuple(fc.integer({ min: 1, max: 3000 }), fc.constantFrom(['{"L":[', ']}'], ['{"M":{"a":', '}}']))
  .map(([depth, [open = '', close = '']]) => {
    const nested = `${open.repeat(depth)}{"S":"x"}${close.repeat(depth)}`;
    return `{"TableName":"Pets","Item":{"id":{"N":"12"},"status":{"S":"sold"},"a":${nested}}}`;
  });

const calls: fc.Arbitrary<HostileCall> = fc.record({
  operation: operations,
  body: fc.oneof(
    { weight: 20, arbitrary: bodies },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: fc.oneof(fc.json({ maxDepth: 3 }), fc.string()) },
  ),
});

/** So many hostile calls, the same for the same seed. */
export const hostileCalls = (seed: number, count: number): readonly HostileCall[] =>
  fc.sample(calls, { seed, numRuns: count });
