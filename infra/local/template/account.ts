/** The AWS account that a template is read for on this machine. */
export const account = {
  id: '123456789012',
  region: 'us-east-1',
  partition: 'aws',
  urlSuffix: 'amazonaws.com',
} as const;

/** An ARN in that account. */
export const arn = (service: string, resource: string, region: string = account.region) =>
  `arn:${account.partition}:${service}:${region}:${account.id}:${resource}`;

/** Who the operator of the local API is. */
export const operatorArn = arn('iam', 'user/operator', '');

/** How an AWS client is set up for an endpoint of the local API, as an operator: who may do everything. */
export const operatorAt = (endpoint: string) => ({
  endpoint,
  region: account.region,
  credentials: { accessKeyId: 'operator', secretAccessKey: 'none' },
});
