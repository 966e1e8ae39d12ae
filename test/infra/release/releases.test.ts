import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { rolesOf } from '../../support/infra/iam.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';

const template = productionTemplate();
const { propertiesOf } = readableTemplate(template);
const roles = rolesOf('PetStore-production', template);

/** Returns what a role of the stack may perform an action on. */
const resourcesOf = (id: string, action: string) =>
  [...roles]
    .filter(([name]) => name.replace(/[0-9A-F]{8}$/, '') === id)
    .flatMap(([, { statements }]) => statements)
    .filter(({ Action }) => Action.includes(action))
    .flatMap(({ Resource }) => Resource);

const Check = v.object({
  Timeout: v.number(),
  Environment: v.object({ Variables: v.record(v.string(), v.string()) }),
});
const check = v.parse(Check, propertiesOf('AWS::Lambda::Function')['ReleasesCheckFunction']);
const served = Object.keys(propertiesOf('AWS::Lambda::Alias')).map((id) =>
  id.replace('FunctionAliaslive', ''),
);

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
    expect(resourcesOf('ReleasesCheckRole', 'lambda:InvokeFunction')).toContainEqual(
      expect.stringMatching(`:function:PetStore-production-${name}Function\\w+-\\w+:\\*$`),
    );
  });

  it.each(served)('may report to the deployment group of %s', (name) => {
    const groups = resourcesOf('ReleasesCheckRole', 'codedeploy:PutLifecycleEventHookExecutionStatus');

    expect(groups).toContainEqual(
      expect.stringMatching(
        `:deploymentgroup:PetStore-production-Releases.*/PetStore-production-Releases${name}`,
      ),
    );
  });

  // It needs ten seconds for its report, after a function that does not respond within five.
  it('reports before its own time ends', () => {
    expect(check.Timeout).toBeGreaterThan(15);
  });
});

it('records the version that each alias gets', () => {
  const Alias = v.object({ FunctionName: v.string(), FunctionVersion: v.string() });
  const aliases = v.parse(v.array(Alias), Object.values(propertiesOf('AWS::Lambda::Alias')));
  const record = v.parse(
    v.object({ Value: v.string() }),
    propertiesOf('AWS::SSM::Parameter')['DeployedCommit'],
  );

  expect(record.Value.split(' ').slice(4).toSorted()).toEqual(
    aliases.map(({ FunctionName, FunctionVersion }) => `${FunctionName}:${FunctionVersion}`).toSorted(),
  );
});

it('CodeDeploy may call the check, and no other function', () => {
  const called = resourcesOf('ReleasesRole', 'lambda:InvokeFunction');

  expect(called).not.toEqual([]);
  expect(
    called.filter((arn) => !arn.includes(':function:PetStore-production-ReleasesCheckFunction')),
  ).toEqual([]);
});
