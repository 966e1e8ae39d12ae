/** The AWS account that templates are resolved for locally. */
export const account = { id: '123456789012', region: 'us-east-1' } as const;

export const arn = (service: string, resource: string, region: string = account.region) =>
  `arn:aws:${service}:${region}:${account.id}:${resource}`;

export const operatorArn = arn('iam', 'user/operator', '');

/** The access key ID of a role. Any other is that of an operator, so that no role ever counts as one. */
export const accessKeyIdOf = (role: string) => `role:${role}`;

/** Returns the role that has an access key ID, or undefined for an operator. */
export const roleOf = (accessKeyId: string): string | undefined => /^role:(.*)$/.exec(accessKeyId)?.[1];

/** Returns the settings of an AWS client for an operator of the local API, who may do everything. */
export const operatorClientConfig = (endpoint: string) => ({
  endpoint,
  region: account.region,
  credentials: { accessKeyId: 'operator', secretAccessKey: 'none' },
});
