import type { Resource } from './read-template.ts';

/** A response of API Gateway itself. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * What a template declares of a gateway response, by its type.
 *
 * @throws {Error} naming a header or a body that is not a fixed text
 */
export function toGatewayResponse({
  properties,
}: Resource<'AWS::ApiGateway::GatewayResponse'>): readonly [string, GatewayResponse] {
  const { ResponseType, ResponseParameters, ResponseTemplates, StatusCode } = properties;
  const headers = Object.entries(ResponseParameters).map(([parameter, expression]) => {
    const name = /^gatewayresponse\.header\.(.+)$/.exec(parameter)?.[1];
    const value = /^'(.*)'$/.exec(expression)?.[1];
    if (name === undefined || value === undefined) {
      throw new Error(`The local API does not know the response parameter ${parameter} = ${expression}.`);
    }
    return [name, value];
  });
  const body = ResponseTemplates['application/json'];
  if (body.includes('$'))
    throw new Error(`The local API does not know the variable in ${ResponseType}: ${body}`);
  return [ResponseType, { status: Number(StatusCode), headers: Object.fromEntries(headers), body }];
}
