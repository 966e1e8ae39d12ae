import * as iam from 'aws-cdk-lib/aws-iam';
import {
  type App,
  CfnOutput,
  CfnParameter,
  Duration,
  type IStackSynthesizer,
  LegacyStackSynthesizer,
  Stack,
} from 'aws-cdk-lib/core';
import { description } from '../../shared/service.ts';
import { tagsOf } from '../stack-names.ts';
import { boundaryStatements } from './boundary.ts';
import { cloudFormationStatements } from './cloudformation-policy.ts';
import { addGitHubTrust } from './github-trust.ts';
import {
  accessStackName,
  boundaryName,
  cloudFormationPolicyName,
  nobody,
  type PersonRole,
  personRoles,
  roleName,
} from './names.ts';
import { deploy, personPolicies, pipelineRead } from './policies.ts';

/** Adds the access stack of a stage, which is deployed before the stage's stack. */
export function addAccess(app: App, stack: Stack, stage: string): AccessStack {
  const access = new AccessStack(app, stage);
  // CloudFormation can create no role without the boundary.
  stack.addStackDependency(access);
  return access;
}

/**
 * Who may do what with a stage: the roles of people and of the pipeline, what CloudFormation may do, and the
 * permissions boundary of the stage's own roles. Only an administrator can deploy it, with or without the CDK's
 * bootstrap, so it has no assets.
 */
export class AccessStack extends Stack {
  constructor(app: App, stage: string) {
    super(app, accessStackName(stage), {
      description: `Who may do what with ${description.title}, ${stage}`,
      // Needs no bootstrap. The library's types differ only under exactOptionalPropertyTypes.
      synthesizer: new LegacyStackSynthesizer() as IStackSynthesizer,
      terminationProtection: true,
      tags: tagsOf(stage),
    });

    // Without descriptions, which could never be changed: a policy cannot be replaced by one with the same name.
    new iam.ManagedPolicy(this, 'Boundary', {
      managedPolicyName: boundaryName(stage),
      statements: boundaryStatements(stage),
    });
    new iam.ManagedPolicy(this, 'CloudFormation', {
      managedPolicyName: cloudFormationPolicyName(stage),
      statements: cloudFormationStatements(stage),
    });

    addPeople(this, stage);
    addPipeline(this, stage);
  }
}

/** Drift checks read each resource with the caller's permissions. */
const readOnlyAccess = () => iam.ManagedPolicy.fromAwsManagedPolicyName('ReadOnlyAccess');

/** The roles of people that need AWS's ReadOnlyAccess. */
const checksDrift: readonly PersonRole[] = ['on-call', 'reader'];

function addPeople(stack: Stack, stage: string): void {
  const operators = principals(stack, 'Operators', 'Who may assume every role for people');
  const readers = principals(stack, 'Readers', 'Who may assume only the role reader');

  for (const role of personRoles) {
    new iam.Role(stack, role, {
      roleName: roleName(stage, role),
      assumedBy: role === 'reader' ? new iam.CompositePrincipal(operators, readers) : operators,
      managedPolicies: checksDrift.includes(role) ? [readOnlyAccess()] : [],
      inlinePolicies: permissions(personPolicies[role](stage)),
    });
  }
}

function addPipeline(stack: Stack, stage: string): void {
  const { jobsOf, hasPipeline } = addGitHubTrust(stack);
  const add = (name: 'pipeline-deploy' | 'pipeline-read', output: string, props: iam.RoleProps) => {
    const role = new iam.Role(stack, name, { ...props, roleName: roleName(stage, name) });
    const { defaultChild } = role.node;
    if (defaultChild instanceof iam.CfnRole) defaultChild.cfnOptions.condition = hasPipeline;
    new CfnOutput(stack, output, { value: role.roleArn, condition: hasPipeline });
  };

  add('pipeline-deploy', 'PipelineDeployRoleArn', {
    assumedBy: jobsOf(`${stage}-deploy`),
    // A canary, and a release check that does not respond, take longer than the default of one hour.
    maxSessionDuration: Duration.hours(2),
    inlinePolicies: permissions(deploy(stage)),
  });
  add('pipeline-read', 'PipelineReadRoleArn', {
    assumedBy: jobsOf(`${stage}-read`),
    managedPolicies: [readOnlyAccess()],
    inlinePolicies: permissions(pipelineRead(stage)),
  });
}

const permissions = (statements: iam.PolicyStatement[]) => ({
  permissions: new iam.PolicyDocument({ statements }),
});

/**
 * Declares a parameter with the principals of the account that may assume a role, at first nobody. The patterns
 * can name a permission set of IAM Identity Center, whose role has a generated suffix.
 * https://docs.aws.amazon.com/singlesignon/latest/userguide/referencingpermissionsets.html
 */
function principals(stack: Stack, name: string, description: string) {
  const { valueAsList } = new CfnParameter(stack, name, {
    type: 'CommaDelimitedList',
    description: `${description}: ARNs of users or roles of this account, separated by commas, with * for any text`,
    // A placeholder that nobody has filled in.
    allowedPattern: '[^<>]+',
    default: nobody,
  });
  return new iam.AccountRootPrincipal().withConditions({ ArnLike: { 'aws:PrincipalArn': valueAsList } });
}
