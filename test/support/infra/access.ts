import { App } from 'aws-cdk-lib';
import { identityCenterOperators } from '../../../bin/stage/check.ts';
import { AccessStack } from '../../../infra/access/access-stack.ts';
import { temporaryDirectory } from '../e2e/temporary-file.ts';
import { managedPolicy, rolesOf, type Statement } from './iam.ts';

/** Synthesizes the access stack of a stage. */
export function accessStack(stage: string) {
  const app = new App({ outdir: temporaryDirectory(), analyticsReporting: false });
  const stack = new AccessStack(app, stage, undefined);
  return { app, stack, artifact: app.synth().getStackByName(stack.stackName) };
}

/** The parameters with which the tests deploy the access stack: the operators are those that `check` prints. */
export const parameters = {
  Operators: identityCenterOperators.replace('<permission set>', 'PetStore'),
  Readers: 'arn:aws:iam::123456789012:user/ann,arn:aws:iam::123456789012:user/bob',
  GitHubSubject: 'repo:acme@1/pets@2',
};

/** Returns what the access stack of a stage lets its roles, and CloudFormation, do. */
export function accessOf(stage: string) {
  const { template } = accessStack(stage).artifact;
  const name = `PetStore-${stage}-access`;
  const roles = rolesOf(name, template, parameters);
  return {
    template,
    roles,
    statementsOf: (role: string): readonly Statement[] => roles.get(`${name}-${role}`)?.statements ?? [],
    boundary: managedPolicy(name, template, `${name}-boundary`),
    cloudFormation: managedPolicy(name, template, `${name}-cloudformation`),
  };
}
