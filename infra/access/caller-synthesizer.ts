import {
  DefaultStackSynthesizer,
  type ISynthesisSession,
  type SynthesizeStackArtifactOptions,
} from 'aws-cdk-lib/core';

/**
 * Lets the CDK call CloudFormation as whoever is signed in: of the bootstrap's roles, `deploy` may change every
 * stack of the account, and `lookup` may read every table.
 */
export class CallerSynthesizer extends DefaultStackSynthesizer {
  constructor() {
    super({ useLookupRoleForStackOperations: false });
  }

  protected override emitArtifact(
    session: ISynthesisSession,
    { assumeRoleArn: _, ...options }: SynthesizeStackArtifactOptions = {},
  ): void {
    super.emitArtifact(session, options);
  }
}
