// Boards, and the notes on a board: a function that serves all methods, without packages. A body is a call of DynamoDB.

const { AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, ...environment } = process.env;

const operations = { POST: 'Query', PUT: 'PutItem', PATCH: 'UpdateItem', DELETE: 'DeleteItem' };

export async function handler({ httpMethod, pathParameters, body }) {
  const input = JSON.parse(Buffer.from(body, 'base64'));
  const response = await fetch(AWS_ENDPOINT_URL, {
    method: 'POST',
    headers: {
      'X-Amz-Target': `DynamoDB_20120810.${operations[httpMethod]}`,
      Authorization: `AWS4-HMAC-SHA256 Credential=${AWS_ACCESS_KEY_ID}/20261123/us-east-1/dynamodb/aws4_request`,
    },
    body: JSON.stringify({ TableName: environment[pathParameters.table], ...input }),
  });
  const output = await response.text();
  if (!response.ok) throw new Error(output);
  return httpMethod === 'DELETE' ? { statusCode: 204 } : { statusCode: 200, body: output };
}
