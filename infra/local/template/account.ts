/** The AWS account that templates are resolved for locally. */
export const account = { id: '123456789012', region: 'us-east-1' } as const;

export const arn = (service: string, resource: string, region: string = account.region) =>
  `arn:aws:${service}:${region}:${account.id}:${resource}`;

export const operatorArn = arn('iam', 'user/operator', '');

/** Returns the settings of an AWS client for an operator of the local API, who may do everything. */
export const operatorClientConfig = (endpoint: string) => ({
  endpoint,
  region: account.region,
  credentials: { accessKeyId: 'operator', secretAccessKey: 'none' },
});
