import { Effect, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';

/** What statements are about, by their ids. */
type Definitions = Readonly<Record<string, Omit<PolicyStatementProps, 'sid' | 'effect'>>>;

const statements = (effect: Effect, definitions: Definitions): PolicyStatement[] =>
  Object.entries(definitions).map(([sid, props]) => new PolicyStatement({ sid, effect, ...props }));

/** Returns statements that allow what they are about. */
export const allow = (definitions: Definitions) => statements(Effect.ALLOW, definitions);

/** Returns statements that deny what they are about, whatever other statements allow. */
export const deny = (definitions: Definitions) => statements(Effect.DENY, definitions);
