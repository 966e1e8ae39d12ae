import { describe, expect, it } from 'vitest';
import { concurrencyOf, limitsOf } from '../../../infra/settings/concurrency.ts';
import {
  type OperationSettings,
  operationSettings,
  otherMethodsThrottling,
} from '../../../infra/settings/operation-settings.ts';
import { capitalize } from '../../../infra/stack-names.ts';
import { type OperationId, operations } from '../../../shared/service.ts';
import { synthesize } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';

// Each limit differs from all others, so that none can stand for another.
const own: Record<OperationId, OperationSettings> = { ...operationSettings };
for (const [index, { operationId }] of Object.values(operations).entries()) {
  const throttling = { rateLimit: 21 + 10 * index, burstLimit: 40 + index };
  own[operationId] = { ...own[operationId], throttling };
}

const stack = synthesize('production', { operations: own });
stack.dispose();
const { propertiesOf } = readableTemplate(stack.template);
const [stage] = Object.values(propertiesOf('AWS::ApiGateway::Stage'));

it('API Gateway limits each method as the settings say, and all others together', () => {
  const limited = (
    path: string,
    method: string,
    { rateLimit, burstLimit }: OperationSettings['throttling'],
  ) =>
    expect.objectContaining({
      ResourcePath: path,
      HttpMethod: method,
      ThrottlingRateLimit: rateLimit,
      ThrottlingBurstLimit: burstLimit,
    });

  const expected = Object.values(operations).map(({ operationId, method, path }) =>
    limited(`/${path.replaceAll('/', '~1')}`, method, own[operationId].throttling),
  );
  expect(stage).toHaveProperty('MethodSettings', [limited('/*', '*', otherMethodsThrottling), ...expected]);
});

describe.each(Object.values(operations))('$operationId', (operation) => {
  it('reserves the concurrency that its own limits need', () => {
    const reserved = propertiesOf('AWS::Lambda::Function')[`${capitalize(operation.operationId)}Function`];

    expect(reserved).toHaveProperty(
      'ReservedConcurrentExecutions',
      concurrencyOf(limitsOf(operation, own[operation.operationId].throttling)),
    );
  });
});
