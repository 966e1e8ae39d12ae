import { productionSettings } from '../../../../test/support/infra/stage-settings.ts';
import { productionRelease } from '../../../../test/support/infra/synthesize.ts';
import { type Resource, resourcesOf } from '../../../../test/support/infra/template.ts';
import { account, arn } from '../../../local-api/template/account.ts';
import { resolveIntrinsics } from '../../../local-api/template/intrinsics.ts';

export const stack = 'PetStore-production';

const certificateArn = arn('acm', 'certificate/0');
const domain = { name: 'api.pets.example', certificateArn };
export const settings = { ...productionSettings, domain };

const { template } = productionRelease({ domain });
const resources = resourcesOf(template);

/** Names that the template gives. */
const ownNames = ['AlarmName', 'DashboardName', 'StageName'];

const webAclName = `${stack}-WebAcl`;
export const webAcl = {
  api: `arn:aws:apigateway:${account.region}::/restapis/a1b2c3d4e5/stages/v1`,
  acl: arn('wafv2', `regional/webacl/${webAclName}/1a2b`),
};

/** The ids that CloudFormation gives, where they are no names that it makes of stack, logical id and a suffix. */
const physicalIds: Readonly<Record<string, (properties: Resource['Properties'], name: string) => string>> = {
  'AWS::ApiGateway::RestApi': () => 'a1b2c3d4e5',
  'AWS::Lambda::Alias': ({ FunctionName }) => arn('lambda', `function:${resolve(FunctionName)}:live`),
  'AWS::Lambda::Version': ({ FunctionName }) => arn('lambda', `function:${resolve(FunctionName)}:6`),
  'AWS::SNS::Topic': (_properties, name) => arn('sns', name),
  'AWS::SSM::Parameter': ({ Name }) => `${Name}`,
  'AWS::WAFv2::WebACL': () => `${webAclName}|1a2b|REGIONAL`,
  'AWS::WAFv2::WebACLAssociation': () => `${webAcl.api}|${webAcl.acl}`,
};

function physicalId(logicalId: string): string {
  const { Type, Properties } = resources[logicalId] ?? { Type: '', Properties: {} };
  // CloudFormation cuts what would be longer than 64 characters.
  const name = `${stack}-${logicalId.slice(0, 50 - stack.length)}-1A2B3C4D5E6F`;
  const own = ownNames.map((property) => Properties[property]).find((value) => typeof value === 'string');
  return own ?? physicalIds[Type]?.(Properties, name) ?? name;
}

const pseudo: Readonly<Record<string, string>> = {
  'AWS::AccountId': account.id,
  'AWS::Partition': 'aws',
  'AWS::Region': account.region,
  'AWS::URLSuffix': 'amazonaws.com',
};

const resolve = (value: unknown): unknown =>
  resolveIntrinsics(value, { ref: (name) => pseudo[name] ?? physicalId(name), getAtt: physicalId });

/** The resources of the template, with the ids that CloudFormation gives. */
export const stackResources = Object.entries(resources).map(([logicalId, { Type, Properties }]) => ({
  type: Type,
  logicalId,
  physicalId: physicalId(logicalId),
  properties: Properties,
}));

/** The outputs of the template. */
export const stackOutputs = Object.fromEntries(
  Object.entries(Object(template).Outputs).map(([name, output]) => [
    name,
    `${resolve(Object(output).Value)}`,
  ]),
);

/** Returns the physical id of the first resource of a type whose logical id begins like this. */
export function idOf(type: string, logicalId = ''): string {
  const found = stackResources.find((own) => own.type === type && own.logicalId.startsWith(logicalId));
  if (!found) throw new Error(`The template has no ${type} ${logicalId}.`);
  return found.physicalId;
}
