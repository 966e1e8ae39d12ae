// Boards, and the notes on a board: a function that serves all methods, without packages.

const { AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, BOARDS = '', NOTES = '' } = process.env;

/** Calls DynamoDB, and returns its response. */
async function call(operation, input) {
  const response = await fetch(AWS_ENDPOINT_URL, {
    method: 'POST',
    headers: {
      'X-Amz-Target': `DynamoDB_20120810.${operation}`,
      Authorization: `AWS4-HMAC-SHA256 Credential=${AWS_ACCESS_KEY_ID}/20261123/us-east-1/dynamodb/aws4_request`,
    },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

const handlers = {
  'POST /boards': async (_parameters, { id }) => {
    await call('PutItem', { TableName: BOARDS, Item: { id: { S: id } } });
    return [201, { id }];
  },
  'GET /boards/{board}': async ({ board }) => {
    const { Item } = await call('GetItem', { TableName: BOARDS, Key: { id: { S: board } } });
    return Item ? [200, { id: Item.id.S }] : [404, {}];
  },
  'POST /boards/{board}/notes': async ({ board }, { number, text }) => {
    const Item = { board: { S: board }, number: { N: `${number}` }, text: { S: text } };
    await call('PutItem', { TableName: NOTES, Item });
    return [201, { number, text }];
  },
  'GET /boards/{board}/notes': async ({ board }) => {
    const { Items } = await call('Query', {
      TableName: NOTES,
      KeyConditionExpression: 'board = :board',
      ExpressionAttributeValues: { ':board': { S: board } },
    });
    return [200, Items.map(({ number, text }) => ({ number: Number(number.N), text: text.S }))];
  },
  'PATCH /boards/{board}/notes/{number}': async ({ board, number }, { text }) => {
    const { Attributes } = await call('UpdateItem', {
      TableName: NOTES,
      Key: { board: { S: board }, number: { N: number } },
      UpdateExpression: 'SET #text = :text',
      ExpressionAttributeNames: { '#text': 'text' },
      ExpressionAttributeValues: { ':text': { S: text } },
      ReturnValues: 'ALL_NEW',
    });
    return [200, { number: Number(Attributes.number.N), text: Attributes.text.S }];
  },
  'DELETE /boards/{board}/notes/{number}': async ({ board, number }) => {
    await call('DeleteItem', { TableName: NOTES, Key: { board: { S: board }, number: { N: number } } });
    return [204];
  },
};

export async function handler({ httpMethod, resource, pathParameters, body }) {
  const input = body ? JSON.parse(Buffer.from(body, 'base64')) : {};
  const [statusCode, output] = await handlers[`${httpMethod} ${resource}`](pathParameters, input);
  return { statusCode, body: output && JSON.stringify(output) };
}
