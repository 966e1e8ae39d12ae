import { expect, expectTypeOf, it } from 'vitest';
import type { RequestCount } from '../../../infra/monitoring/indicators.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';

it('knows the names of its counts', () => {
  expectTypeOf<'Denied' | 'Errors-createPet'>().toExtend<RequestCount>();
  // @ts-expect-error a typing mistake
  expectTypeOf<'Denyed'>().toExtend<RequestCount>();
  // @ts-expect-error an unknown operation
  expectTypeOf<'Errors-createPets'>().toExtend<RequestCount>();
});

// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutMetricFilter.html
it('has patterns of at most the 1,024 characters that CloudWatch allows', () => {
  const { propertiesOf } = readableTemplate(productionTemplate());

  const patterns = Object.values(propertiesOf('AWS::Logs::MetricFilter')).map(
    (filter) => Object(filter).FilterPattern,
  );
  expect(patterns).not.toEqual([]);
  expect(patterns.filter((pattern) => pattern.length > 1024)).toEqual([]);
});
