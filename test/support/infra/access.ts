import { App } from 'aws-cdk-lib/core';
import { AccessStack } from '../../../infra/access/access-stack.ts';
import { identityCenterOperators } from '../../../infra/access/identity-center.ts';
import { temporaryDirectory } from '../e2e/temporary-file.ts';
import { managedPolicy, rolesOf, type Statement } from './iam.ts';

/** The parameters with which the tests deploy the access stack: the operators are those that `check` prints. */
export const parameters = {
  Operators: identityCenterOperators('assumed-role/AWSReservedSSO_PetStore_0123456789abcdef/ann'),
  Readers: 'arn:aws:iam::123456789012:user/ann,arn:aws:iam::123456789012:user/bob',
  GitHubSubject: 'repo:acme@1/pets@2',
};

const app = new App({
  outdir: temporaryDirectory(),
  analyticsReporting: false,
  builtinCloudFormationValidation: false,
});
const { stackName: name } = new AccessStack(app, 'production');
const artifact = app.synth().getStackByName(name);
const { template } = artifact;
const roles = rolesOf(name, template, parameters);

const statementsOf = (role: string): readonly Statement[] => roles.get(`${name}-${role}`)?.statements ?? [];

/** What the access stack of production lets its roles, and CloudFormation, do. */
export const access = {
  artifact,
  roles,
  statementsOf,
  actionsOf: (role: string): readonly string[] =>
    statementsOf(role)
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Action }) => Action),
  boundary: managedPolicy(name, template, `${name}-boundary`),
  cloudFormation: managedPolicy(name, template, `${name}-cloudformation`),
};
