import { identityCenterOperators } from '../../../infra/access/identity-center.ts';
import {
  accessStackName,
  cloudFormationPolicyName,
  nobody,
  personRoles,
  roleName,
} from '../../../infra/access/names.ts';
import { stackPrefix, stagePattern } from '../../../infra/stack-names.ts';
import { command } from '../command.ts';
import { count, profileOf, step } from '../report.ts';
import { type Check, edit, isComplete } from './set-up.ts';

export const target: Check = ({ caller: { account, region } }, { settings: { target: own } }) => ({
  isDone: own?.account === account && own.region === region,
  text: own ? `${own.account}, ${own.region}` : 'none: the CDK would deploy anywhere',
  next: own
    ? [{ text: 'take the profile and the region of the target' }]
    : edit(`set target: { account: '${account}', region: '${region}' }`),
});

export const concurrency: Check = ({ concurrency: own }, { settings }) => {
  const { accountConcurrency, reservesConcurrency } = settings;
  return {
    isDone: own >= accountConcurrency,
    text: `${count(own)} of ${count(accountConcurrency)}`,
    next: [
      step(
        'administrator',
        `request it once${reservesConcurrency ? ': until then, the deploy fails' : ''}`,
        command`aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${accountConcurrency}`,
      ),
    ],
  };
};

export const access: Check = ({ caller, access: own }, { stage }) => {
  const accessStack = accessStackName(stage);
  const isProtected = own?.isProtected ?? false;
  const operators = own?.parameters['Operators'];
  if (own?.serviceRole !== undefined) {
    return {
      isDone: false,
      text: `${own.status}, with the service role ${own.serviceRole}`,
      next: [
        {
          text: 'whoever may update the stack can use this role, which CloudFormation never takes away: tear down the stage and this stack, and begin anew without --role-arn (docs/deploying.md#tear-down)',
        },
      ],
    };
  }
  return {
    isDone: own !== undefined && isComplete(own.status) && isProtected && operators !== nobody,
    text: own
      ? `${own.status}, for ${operators}${isProtected ? '' : ', not protected from deletion'}`
      : `${accessStack}: does not exist`,
    next: [
      step(
        'administrator',
        'deploy the access stack, for all who may take its roles, including you: docs/access.md',
        command`npx cdk deploy ${accessStack} --parameters ${`Operators=${identityCenterOperators(caller.arn)}`}`,
      ),
    ],
  };
};

/** Only the policies of this service's stages: any other lets CloudFormation do more than they need. */
export const bootstrap: Check = ({ caller, bootstrap: found }, { stage }) => {
  const { account, region } = caller;
  const [, partition] = caller.arn.split(':');
  const policy = `arn:${partition}:iam::${account}:policy/${cloudFormationPolicyName(stage)}`;
  const ofStages = new RegExp(
    `^arn:[\\w-]+:iam::${account}:policy/${stackPrefix}-${stagePattern}-access-cloudformation$`,
  );
  const listed = (found?.parameters['CloudFormationExecutionPolicies'] ?? '').split(',');
  const policies = listed.filter((arn) => arn !== '');
  const foreign = policies.filter((arn) => arn !== policy && !ofStages.test(arn));
  // The stages of an account share the bootstrap, so that the policies of the others stay.
  const all = new Set([...policies.filter((arn) => ofStages.test(arn)), policy]);
  const more = foreign.length > 0 ? `, of which no stage needs ${foreign.join(', ')}` : '';
  const taken =
    foreign.length > 0
      ? `. It takes ${foreign.join(', ')} from other CDK apps of this account and region: if you have any, use another account or region, or add their policies`
      : '';
  return {
    isDone: policies.includes(policy) && foreign.length === 0,
    text: found ? `with ${policies.join(', ') || 'no policy'}${more}` : 'CDKToolkit: does not exist',
    next: [
      step(
        'administrator',
        `bootstrap with the policies of the access stacks of this account${taken}`,
        command`npx cdk bootstrap ${`aws://${account}/${region}`} --termination-protection --cloudformation-execution-policies ${[...all].join()}`,
      ),
    ],
  };
};

export const profiles: Check = ({ caller: { account, region }, profiles: names }, { stage }) => {
  const missing = personRoles.filter((role) => !names.includes(profileOf(stage, role)));
  const commands = missing.flatMap((role) => {
    const profile = profileOf(stage, role);
    const arn = `arn:aws:iam::${account}:role/${roleName(stage, role)}`;
    return [
      command`aws configure set profile.${profile}.role_arn ${arn}`,
      command`aws configure set profile.${profile}.source_profile <me>`,
      command`aws configure set profile.${profile}.region ${region}`,
    ];
  });
  return {
    isDone: missing.length === 0,
    text: missing.length === 0 ? 'of all roles' : `none here for ${missing.join(', ')}`,
    next: [
      {
        text: `add them, with your own profile, such as ${stage}-admin, as <me>. Each operator needs them, and sts:AssumeRole on arn:aws:iam::*:role/${stackPrefix}-*-access-*`,
        commands,
      },
    ],
  };
};
