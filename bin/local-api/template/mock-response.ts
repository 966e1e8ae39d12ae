import type { HttpResponse } from '../http/read-request.ts';
import type { Resource } from './read-template.ts';

type Method = Resource<'AWS::ApiGateway::Method'>['properties'];
type Mock = Extract<Method['Integration'], { Type: 'MOCK' }>;

/**
 * Returns the response of a mock integration; `name` is that of the method.
 *
 * @throws {Error} if API Gateway would reject it at a deploy, because the method does not declare its status or a
 * header: https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-parameter-mapping.html
 */
export function mockResponse(
  { IntegrationResponses }: Mock,
  declaredResponses: Method['MethodResponses'],
  name: string,
): HttpResponse {
  const [{ StatusCode, ResponseParameters, ResponseTemplates }] = IntegrationResponses;
  const declared = declaredResponses.find((response) => response.StatusCode === StatusCode);
  if (!declared) {
    throw new Error(`API Gateway would reject ${name}: its methodResponses lack the status ${StatusCode}.`);
  }
  const header = Object.keys(ResponseParameters).find((each) => !(each in declared.ResponseParameters));
  if (header !== undefined) {
    throw new Error(`API Gateway would reject ${name}: its methodResponses lack the header ${header}.`);
  }
  return {
    status: StatusCode,
    headers: { 'Content-Type': 'application/json', ...ResponseParameters },
    body: ResponseTemplates['application/json'],
  };
}
