import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { App, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { expect, it } from 'vitest';
import { rollbackAlarms } from '../../../infra/release/rollback-alarms.ts';
import { HandlerFunction } from '../../../infra/service/handler-function.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { leastSettings } from '../../support/infra/stage-settings.ts';

/** Returns what is warned of in a stage with this many functions. */
function warningsWith(count: number): readonly string[] {
  const ids = Array.from({ length: count }, (_, index) => `F${index}`);
  const bundles = Object.fromEntries(
    ids.map((id) => [`functions/${id.toLowerCase()}.ts`, temporaryDirectory()]),
  );
  const app = new App({
    context: { 'pet-store:bundles': bundles },
    outdir: temporaryDirectory(),
    analyticsReporting: false,
    builtinCloudFormationValidation: false,
  });
  const stack = new Stack(app, 'Service');
  const functions = ids.map(
    (id) => new HandlerFunction(stack, id, { settings: leastSettings, permissions: [], variables: {} }),
  );
  const metric = new Metric({ namespace: 'Service', metricName: 'Count' });
  const share = new MathExpression({ expression: 'count', usingMetrics: { count: metric } });
  const indicators = { share: () => share, ofVersion: () => metric };

  rollbackAlarms(new Construct(stack, 'Alarms'), indicators, functions, leastSettings.objectives);

  const warnings = Annotations.fromStack(stack).findWarning('*', Match.anyValue());
  return warnings.map(({ entry }) => `${entry.data}`).filter((text) => text.includes('deployment group'));
}

it('warns once a deployment group has more alarms than CodeDeploy takes everywhere', () => {
  expect(warningsWith(9)).toEqual([]);
  expect(warningsWith(10)).toEqual([
    expect.stringMatching(/^Each deployment group gets 11 alarms\..*service-quotas/),
  ]);
});
