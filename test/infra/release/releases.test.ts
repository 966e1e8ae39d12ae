import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { isPermitted, rolesOf } from '../../support/infra/iam.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';

const template = productionTemplate();
const { propertiesOf } = readableTemplate(template);
const roles = rolesOf('PetStore-production', template);

/** Returns what the role of a part of the stack may do. */
const statementsOf = (id: string) =>
  [...roles].find(([name]) => name.replace(/[0-9A-F]{8}$/, '') === id)?.[1].statements ?? [];

const Check = v.object({
  Timeout: v.number(),
  Environment: v.object({ Variables: v.record(v.string(), v.string()) }),
});
const check = v.parse(Check, propertiesOf('AWS::Lambda::Function')['ReleasesCheckFunction']);
const served = Object.keys(propertiesOf('AWS::Lambda::Alias')).map((id) =>
  id.replace('FunctionAliaslive', ''),
);

/** A function of the stack, as `rolesOf` names it. */
const functionArn = (name: string) => {
  const [resource = ''] = statementsOf('ReleasesCheckRole')
    .flatMap(({ Resource }) => Resource)
    .filter((arn) => arn.includes(`-${name}Function`));
  return resource.replace(/:[^:]*\*$/, '');
};

describe('the check of a release', () => {
  it('calls the new version of each function', () => {
    const { STAGE, ...versions } = check.Environment.Variables;

    expect(STAGE).toBe('production');
    expect(versions).toEqual(
      Object.fromEntries(
        served.map((name) => [name, expect.stringContaining(`${name}FunctionCurrentVersion`)]),
      ),
    );
  });

  it.each(served)('may call any version of %s', (name) => {
    const request = { action: 'lambda:InvokeFunction', resource: `${functionArn(name)}:7` };

    expect(isPermitted(statementsOf('ReleasesCheckRole'), request)).toBe(true);
  });

  it('may report to CodeDeploy', () => {
    const groups = statementsOf('ReleasesCheckRole')
      .filter(({ Action }) => Action.includes('codedeploy:PutLifecycleEventHookExecutionStatus'))
      .flatMap(({ Resource }) => Resource);

    expect(groups).toEqual([expect.stringMatching(/:deploymentgroup:PetStore-production-Releases.*\/\*$/)]);
  });

  // It needs ten seconds for its report, after a function that does not respond within five.
  it('reports before its own time ends', () => {
    expect(check.Timeout).toBeGreaterThan(15);
  });
});

it('CodeDeploy may call the check, and no other function', () => {
  const called = statementsOf('ReleasesRole').filter(({ Action }) =>
    Action.includes('lambda:InvokeFunction'),
  );

  expect(called.flatMap(({ Resource }) => Resource)).toEqual([
    expect.stringMatching(/:function:PetStore-production-ReleasesCheckFunction\w+-\w+$/),
  ]);
});
