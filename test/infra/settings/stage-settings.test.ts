import { Duration } from 'aws-cdk-lib';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { readDeployment } from '../../../infra/local/template/deployment.ts';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import { type StageSettings, stages } from '../../../infra/settings/stages.ts';
import { commonHeaders } from '../../../shared/contract/common-headers.ts';
import { type ErrorCode, errorTable } from '../../../shared/contract/errors/error-table.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { arnOf, readableTemplate } from '../../support/infra/template.ts';

const name = 'api.pets.example';
const certificateArn = arnOf('certificate');
const target = { account: '111111111111', region: 'eu-central-1' };
const runbook = 'https://pets.example/runbook';
const commit = '427c49801e92d6e27d2dddf404db8eddb94afe80';

const outdir = temporaryDirectory();

/** Production with most optional settings. */
const production: StageSettings = {
  ...stages.production,
  target,
  domain: { name, certificateArn, isOnlyAddress: true },
  expectsTrafficWithin: Duration.minutes(15),
  restoredTables: { pets: 'pets-restored' },
  alarms: {
    page: [{ url: 'https://pager.example/x' }],
    ticket: [{ email: 'team@pets.example' }],
    runbook,
    monthlyBudget: 100,
  },
};
const appWith = (settings: StageSettings) =>
  petStoreApp(['production'], {
    outdir,
    release: { commit },
    settings: { ...stages, production: settings },
    builtinCloudFormationValidation: false,
  });
const { template, stackName, environment } = appWith(production)
  .synth()
  .getStackByName('PetStore-production');
const { propertiesOf, outputs } = readableTemplate(template);

it('the local API supports these settings', () => {
  expect(() => readDeployment({ name: stackName, template, directory: outdir })).not.toThrow();
});

it('a stage is deployed to its target', () => {
  expect(environment).toMatchObject(target);
});

it('a domain is as strict as the API, has base path v1 and may be the only address', () => {
  const [mapping] = Object.values(propertiesOf('AWS::ApiGateway::BasePathMapping'));
  expect(mapping).toMatchObject({ BasePath: 'v1' });
  expect(Object.values(propertiesOf('AWS::ApiGateway::DomainName'))).toMatchObject([
    {
      DomainName: name,
      EndpointAccessMode: 'STRICT',
      RegionalCertificateArn: certificateArn,
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
    },
  ]);
  expect(propertiesOf('AWS::ApiGateway::RestApi')).toMatchObject({
    PetStoreApi: { DisableExecuteApiEndpoint: true },
  });
  expect(outputs).toMatchObject({ BaseUrl: `https://${name}/v1` });
});

it('a domain is created next to the default endpoint', () => {
  const withBoth = readableTemplate(productionTemplate({ domain: { name, certificateArn } }));

  const { PetStoreApi } = withBoth.propertiesOf('AWS::ApiGateway::RestApi');
  expect(PetStoreApi).not.toHaveProperty('DisableExecuteApiEndpoint');
  expect(withBoth.outputs).toMatchObject({
    BaseUrl: expect.stringContaining('.execute-api.'),
    DomainTarget: expect.stringContaining('RegionalDomainName'),
  });
});

it('records the deployed commit in an output and a parameter', () => {
  expect(outputs).toMatchObject({ Commit: commit });
  expect(propertiesOf('AWS::SSM::Parameter')).toMatchObject({
    DeployedCommit: { Name: '/PetStore-production/commit', Value: commit },
  });
});

describe('the web ACL', () => {
  const { PetStoreWebAcl } = v.parse(
    v.object({
      PetStoreWebAcl: v.looseObject({
        Rules: v.array(v.looseObject({ Name: v.string(), Priority: v.number() })),
      }),
    }),
    propertiesOf('AWS::WAFv2::WebACL'),
  );
  const rule = (name: string) => PetStoreWebAcl.Rules.find(({ Name }) => Name === name);
  const blockedWith = (code: ErrorCode, headers: object = {}) => ({
    Block: {
      CustomResponse: {
        CustomResponseBodyKey: code,
        ResponseCode: errorTable[code].status,
        ResponseHeaders: Object.entries({ ...commonHeaders, ...headers }).map(([Name, Value]) => ({
          Name,
          Value,
        })),
      },
    },
  });

  it('rejects what it cannot see, or what is not a key, before it counts', () => {
    const names = PetStoreWebAcl.Rules.toSorted((a, b) => a.Priority - b.Priority).map(({ Name }) => Name);
    expect(names).toEqual(['OversizeHeaders', 'NotAKey', 'RequestsPerKey', 'RequestsPerAddress']);
  });

  it('answers oversize headers with a 400', () => {
    const Headers = { MatchPattern: { All: {} }, MatchScope: 'ALL', OversizeHandling: 'MATCH' };
    const size = { FieldToMatch: { Headers }, ComparisonOperator: 'GT', Size: 8192 };

    expect(rule('OversizeHeaders')).toMatchObject({
      Action: blockedWith('invalid_header'),
      Statement: { SizeConstraintStatement: size },
    });
  });

  it("answers a request without a key of the stage's form with a 401", () => {
    const RegexString = '^[Bb][Ee][Aa][Rr][Ee][Rr] +petstore_production_[0-9A-Za-z]{38}$';
    const statement = { FieldToMatch: { SingleHeader: { Name: 'Authorization' } }, RegexString };

    expect(rule('NotAKey')).toMatchObject({
      Action: blockedWith('unauthorized', { 'WWW-Authenticate': 'Bearer realm="pet-store"' }),
      Statement: { NotStatement: { Statement: { RegexMatchStatement: statement } } },
    });
  });

  it.each(['RequestsPerKey', 'RequestsPerAddress'])('answers %s above the limit with a 429', (name) => {
    expect(rule(name)).toMatchObject({ Action: blockedWith('too_many_requests', { 'Retry-After': '60' }) });
  });

  it('counts all spellings of a header with the same key together', () => {
    const TextTransformations = [
      { Priority: 0, Type: 'COMPRESS_WHITE_SPACE' },
      { Priority: 1, Type: 'LOWERCASE' },
    ];
    const CustomKeys = [{ Header: { Name: 'Authorization', TextTransformations } }];

    expect(rule('RequestsPerKey')).toMatchObject({ Statement: { RateBasedStatement: { CustomKeys } } });
  });

  it('keeps no samples, which would contain API keys', () => {
    expect(JSON.stringify(PetStoreWebAcl)).not.toContain('"SampledRequestsEnabled":true');
  });

  it("protects the API's stage", () => {
    const [association] = Object.values(propertiesOf('AWS::WAFv2::WebACLAssociation'));

    expect(association).toEqual({
      ResourceArn:
        'arn:aws:apigateway:eu-central-1::/restapis/PetStoreApi/stages/PetStoreApiDeploymentStagev1',
      WebACLArn: arnOf('PetStoreWebAcl'),
    });
  });
});

const warningsWith = (settings: StageSettings) =>
  appWith(settings)
    .node.findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === 'aws:cdk:warning')
    .map(({ data }) => `${data}`);

const { expectsTrafficWithin: _none, ...withoutExpectation } = production;
it.each([
  ['alarms.page', { ...production, alarms: { page: [], ticket: [], runbook } }],
  ['alarms.runbook', { ...production, alarms: { page: [{ email: 'on-call@pets.example' }], ticket: [] } }],
  ['expectsTrafficWithin', withoutExpectation],
])('warns without %s', (name, settings) => {
  expect(warningsWith(settings)).toEqual([expect.stringContaining(`Set ${name} of production`)]);
});

it('does not warn when somebody notices every outage', () => {
  expect(warningsWith(production)).toEqual([]);
});

it('a restored table is used by its name', () => {
  const { ListPetsRole } = propertiesOf('AWS::IAM::Role');
  const { MonitoringAlarmsTablesThrottledpets } = propertiesOf('AWS::CloudWatch::Alarm');

  expect(propertiesOf('AWS::Lambda::Function')).toMatchObject({
    GetPetFunction: { Environment: { Variables: { PETS_TABLE: 'pets-restored' } } },
  });
  expect(JSON.stringify(ListPetsRole)).toContain(':table/pets-restored/index/byStatus"');
  expect(JSON.stringify(MonitoringAlarmsTablesThrottledpets)).toContain('"pets-restored"');
  expect(outputs).toMatchObject({ PetsTableName: 'pets-restored' });
  expect(propertiesOf('AWS::DynamoDB::GlobalTable')).not.toHaveProperty('TablesPets');
});

it('subscribers get pages or tickets by email or by URL', () => {
  expect(Object.values(propertiesOf('AWS::SNS::Subscription'))).toEqual([
    { TopicArn: 'MonitoringTopicsPage', Protocol: 'https', Endpoint: 'https://pager.example/x' },
    { TopicArn: 'MonitoringTopicsTicket', Protocol: 'email', Endpoint: 'team@pets.example' },
  ]);
});
