/**
 * Returns the operators that have the caller's permission set of IAM Identity Center. The role of a permission set
 * has a region in its path, unless that of the Identity Center is us-east-1, and a suffix of 16 characters: with any
 * suffix, the pattern for `Dev` would include the set `Dev_Support`.
 * https://docs.aws.amazon.com/singlesignon/latest/userguide/referencingpermissionsets.html
 */
export function identityCenterOperators(callerArn: string): string {
  const [, permissionSet = '<permission set>'] = /\/AWSReservedSSO_([^/]+)_[^_/]+\//.exec(callerArn) ?? [];
  return `arn:aws:iam::*:role/aws-reserved/sso.amazonaws.com/*AWSReservedSSO_${permissionSet}_${'?'.repeat(16)}`;
}
