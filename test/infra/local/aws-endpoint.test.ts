import { expect, it, vi } from 'vitest';
import { createAwsEndpoint } from '../../../infra/local/aws-endpoint.ts';
import { httpRequest } from '../../support/infra/http-request.ts';

// The tests of the operators' commands call it through the SDK.
it('the AWS endpoint rejects an unsigned call, such as a page could send', async () => {
  const dynamodb = vi.fn();
  const headers = { 'x-amz-target': ['DynamoDB_20120810.ListTables'], authorization: ['Bearer x'] };

  const response = await createAwsEndpoint({ name: 'pets', outputs: {} }, dynamodb)(httpRequest({ headers }));

  expect(response).toMatchObject({
    status: 403,
    body: expect.stringContaining('MissingAuthenticationToken'),
  });
  expect(dynamodb).not.toHaveBeenCalled();
});
