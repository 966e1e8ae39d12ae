import fc from 'fast-check';
import { expect, it } from 'vitest';
import { denied, failed, rejected, served, throttled } from '../../../infra/monitoring/request-conditions.ts';
import { list } from '../../support/contract/own-operations.ts';
import { seriesOf } from '../../support/monitoring/filter-pattern.ts';

const request = fc.record({
  status: fc.constantFrom(200, 201, 400, 401, 404, 405, 429, 500, 503),
  client: fc.constantFrom('-', 'acme'),
  method: fc.constantFrom(list.method, 'HEAD'),
  path: fc.constantFrom(list.path, '-'),
  responseType: fc.constantFrom('-', 'ACCESS_DENIED', 'UNAUTHORIZED', 'WAF_FILTERED'),
  waf: fc.constantFrom('-', 'WAF_ALLOW', 'WAF_BLOCK'),
});

it.each(Object.entries({ denied, failed, rejected, served, throttled }))(
  'the alarms count the same requests as status: %s',
  (_name, { pattern, holds }) => {
    const filter = {
      FilterPattern: `{ ${pattern} }`,
      LogGroupName: 'log',
      MetricTransformations: [{ MetricName: 'counted', Dimensions: [] }] as [
        { MetricName: string; Dimensions: [] },
      ],
    };

    fc.assert(
      fc.property(request, (own) => {
        expect(seriesOf([filter], 'log', JSON.stringify(own))).toEqual(holds(own) ? ['counted'] : []);
      }),
    );
  },
);
