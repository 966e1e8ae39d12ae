/** A call of one of AWS's SDK clients: the command without its suffix, such as `DescribeStacks`. */
export interface Call {
  readonly client: string;
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const of = (service: string, resource: string, account = '123456789012') =>
  `arn:aws:${service}:us-east-1:${account}:${resource}`;

/** How the name of a resource becomes its ARN, by the argument that has the name. */
const arns: Readonly<Record<string, (name: string) => string>> = {
  stackName: (name) => of('cloudformation', `stack/${name}/1`),
  tableName: (name) => of('dynamodb', `table/${name}`),
  sourceTableName: (name) => of('dynamodb', `table/${name}`),
  functionName: (name) => of('lambda', `function:${name}`),
  deploymentGroupName: (name) => of('codedeploy', `deploymentgroup:PetStore-production-Releases1A2B/${name}`),
  restApiId: (name) => of('apigateway', `/restapis/${name}/stages/v1`, ''),
  name: (name) => of('ssm', `parameter${name}`),
  backupArn: (arn) => arn,
  topicArn: (arn) => arn,
  resourceArn: (arn) => arn,
  certificateArn: (arn) => arn,
};

/** Actions that have no resource: https://docs.aws.amazon.com/service-authorization/latest/reference/reference.html */
const withoutResource = /^(dynamodb:ListBackups|codedeploy:StopDeployment)$/i;

const methods: Readonly<Record<string, string>> = { get: 'GET', update: 'PATCH', flush: 'DELETE' };

function requestOf(service: string, operation: string, args: Readonly<Record<string, unknown>>) {
  const [, verb = ''] = /^([a-z]+)/.exec(operation.replace(/^[A-Z]/, (letter) => letter.toLowerCase())) ?? [];
  const action = `${service}:${service === 'apigateway' ? methods[verb] : operation}`;
  if (operation === 'getAccount') return { action, resource: of(service, '/account', '') };
  const [resource = '*'] = Object.entries(args).flatMap(([name, value]) => {
    const arn = arns[name.replace(/^[A-Z]/, (letter) => letter.toLowerCase())];
    return arn && typeof value === 'string' ? [arn(value)] : [];
  });
  const context = { 'aws:ResourceTag/service': 'pet-store', 'aws:ResourceTag/stage': 'production' };
  return { action, resource: withoutResource.test(action) ? '*' : resource, context };
}

/** Returns what IAM is asked for a call of the SDK. */
export const requestOfCall = ({ client, command, input }: Call) =>
  requestOf(client.toLowerCase().replace('iamtrail', 'cloudtrail'), command, input);

/** Returns what IAM is asked for a command of the AWS CLI. */
export function requestOfCommand(command: string) {
  const [, service = '', operation = '', rest = ''] = /^aws (\S+) (\S+)(.*)$/.exec(command) ?? [];
  const camel = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const args = Array.from(rest.matchAll(/--([a-z-]+) (\S+)/g), ([, name = '', value]) => [
    camel(name),
    value,
  ]);
  return requestOf(service.replace(/^deploy$/, 'codedeploy'), camel(operation), Object.fromEntries(args));
}
