import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { errorBody, errorTable } from '../../shared/contract/error-table.ts';
import { responseHeaders } from './gateway-responses.ts';
import type { ApiRoute } from './handler-function.ts';

const status = `${errorTable.method_not_allowed.status}`;

/** Media types that get a 405; others get a 415, because no request template matches every type. */
const mediaTypes = [
  'application/json',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'application/xml',
  'multipart/form-data',
  'text/plain',
];

/** Adds HEAD, which runs GET's function (RFC 9110 §9.3.2), and a 405 for any other method (§15.5.6). */
export function addHeadAnd405(api: apigateway.RestApi, routes: readonly ApiRoute[]): void {
  for (const [path, routesAtPath] of Map.groupBy(routes, ({ operation }) => operation.path)) {
    const resource = api.root.resourceForPath(path);
    const get = routesAtPath.find(({ operation: { method } }) => method === 'GET');
    if (get) {
      const integration = new apigateway.LambdaIntegration(get.handler.live, { allowTestInvoke: false });
      resource.addMethod('HEAD', integration);
    }

    const methods = routesAtPath.map(({ operation: { method } }) => method);
    const allowed = [...methods, ...(get ? ['HEAD'] : [])].sort().join(', ');
    const headers = { ...responseHeaders('method_not_allowed'), Allow: `'${allowed}'` };
    const parameters = Object.entries(headers).map(([name, value]) => [
      `method.response.header.${name}`,
      value,
    ]);
    resource.addMethod(
      'ANY',
      new apigateway.MockIntegration({
        // All bodies are binary, and a mock integration takes only text.
        // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
        contentHandling: apigateway.ContentHandling.CONVERT_TO_TEXT,
        // Otherwise, bodies of other media types would be passed through without the template.
        // https://docs.aws.amazon.com/apigateway/latest/developerguide/integration-passthrough-behaviors.html
        passthroughBehavior: apigateway.PassthroughBehavior.NEVER,
        requestTemplates: Object.fromEntries(mediaTypes.map((type) => [type, `{"statusCode":${status}}`])),
        integrationResponses: [
          {
            statusCode: status,
            contentHandling: apigateway.ContentHandling.CONVERT_TO_TEXT,
            responseParameters: Object.fromEntries(parameters),
            responseTemplates: { 'application/json': errorBody('method_not_allowed') },
          },
        ],
      }),
      {
        methodResponses: [
          {
            statusCode: status,
            responseParameters: Object.fromEntries(parameters.map(([parameter]) => [parameter, true])),
          },
        ],
      },
    );
  }
}
