import { Annotations, type Environment, type Stack } from 'aws-cdk-lib';
import type { StageSettings } from './stages.ts';

/** The account and region that a shell's credentials are for, as the CDK's command line tells them; unknown offline. */
export interface Shell {
  readonly CDK_DEFAULT_ACCOUNT?: string | undefined;
  readonly CDK_DEFAULT_REGION?: string | undefined;
}

/** Where a stage is deployed to. Without a target it is not said: the shell's credentials decide. */
export const environmentOf = ({ target }: StageSettings): Environment => ({ ...target });

/**
 * Makes the CDK refuse, before it calls AWS, to deploy a stage with credentials for anywhere but its target, and say so
 * where it takes the shell's.
 */
export function guardTarget(stack: Stack, { target }: StageSettings, shell: Shell): void {
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = shell;
  if (!target) {
    Annotations.of(stack).addInfo(
      `${stack.stackName} has no target in infra/settings/stages.ts: it is deployed to the shell's ${account ?? 'account'} in ${region ?? 'its region'}.`,
    );
    return;
  }
  if (account === undefined || region === undefined) return;
  if (account !== target.account || region !== target.region) {
    Annotations.of(stack).addError(
      `${stack.stackName} belongs to ${target.account} in ${target.region}, and the shell is in ${account} in ${region}: nothing is deployed.`,
    );
  }
}
