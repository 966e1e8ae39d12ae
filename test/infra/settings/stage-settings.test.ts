import { describe, expect, it } from 'vitest';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import type { StageSettings } from '../../../infra/settings/stages.ts';
import { commonHeaders } from '../../../shared/contract/operation.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { everySetting, leastSettings, productionSettings } from '../../support/infra/stage-settings.ts';
import { productionTemplate } from '../../support/infra/synthesize.ts';
import { readableTemplate } from '../../support/infra/template.ts';

const { name, certificateArn } = everySetting.domain;

const appWith = (settings: StageSettings, release: { commit: string | undefined } = { commit: '0a1b' }) =>
  petStoreApp(
    { production: settings },
    { outdir: temporaryDirectory(), release, builtinCloudFormationValidation: false },
  );
const { propertiesOf, outputs } = readableTemplate(productionTemplate(everySetting));

it('a domain is as strict as the API, has base path v1 and may be the only address', () => {
  const strict = { EndpointAccessMode: 'STRICT', SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09' };

  expect(Object.values(propertiesOf('AWS::ApiGateway::BasePathMapping'))).toMatchObject([{ BasePath: 'v1' }]);
  expect(Object.values(propertiesOf('AWS::ApiGateway::DomainName'))).toMatchObject([
    {
      ...strict,
      DomainName: 'api.pets.example',
      RegionalCertificateArn: expect.stringMatching(/:certificate\/0$/),
    },
  ]);
  expect(Object.values(propertiesOf('AWS::ApiGateway::RestApi'))).toMatchObject([
    { ...strict, DisableExecuteApiEndpoint: true },
  ]);
  expect(outputs).toMatchObject({ BaseUrl: 'https://api.pets.example/v1' });
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
  expect(outputs).toMatchObject({ Commit: '0a1b' });
  expect(propertiesOf('AWS::SSM::Parameter')).toMatchObject({
    DeployedCommit: { Name: '/PetStore-production/commit', Value: expect.stringMatching('^0a1b ') },
  });
});

it('records an unknown commit, and warns of it', () => {
  const app = appWith(productionSettings, { commit: undefined });
  const unknown = readableTemplate(app.synth().getStackByName('PetStore-production').template);

  expect(unknown.outputs).toMatchObject({ Commit: 'unknown' });
  expect(unknown.propertiesOf('AWS::SSM::Parameter')).toMatchObject({
    DeployedCommit: { Value: expect.stringMatching(/^unknown /) },
  });
  expect(JSON.stringify(app.node.findChild('PetStore-production').node.metadata)).toContain(
    'Run git init, git add --all and git commit.',
  );
});

describe('the web ACL', () => {
  const { PetStoreWebAcl } = propertiesOf('AWS::WAFv2::WebACL');
  const Headers = { MatchPattern: { All: {} }, MatchScope: 'ALL', OversizeHandling: 'MATCH' };
  const size = { ComparisonOperator: 'GT', FieldToMatch: { Headers }, Size: 8192 };
  // AWS WAF does not support groups.
  const RegexString = '^[Bb][Ee][Aa][Rr][Ee][Rr] +petstore_production_[0-9A-Za-z]{38}$';
  // In lower case, as AWS returns it: otherwise it would count as changed by hand.
  const header = { FieldToMatch: { SingleHeader: { Name: 'authorization' } } };
  const key = { ...header, RegexString };
  const prefix = { ...header, PositionalConstraint: 'CONTAINS', SearchString: 'petstore_production_' };
  // All spellings of a header with the same key count together.
  const TextTransformations = [{ Type: 'COMPRESS_WHITE_SPACE' }, { Type: 'LOWERCASE' }];
  const CustomKeys = [{ Header: { Name: 'authorization', TextTransformations } }];
  const perKey = { AggregateKeyType: 'CUSTOM_KEYS', CustomKeys, EvaluationWindowSec: 60, Limit: 6000 };
  const perAddress = { AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 12_000 };

  it('rejects what it cannot see, or what is not a key, before it counts', () => {
    const block = (ResponseCode: number, CustomResponseBodyKey: string, others: object = {}) => {
      const headers = Object.entries({ ...commonHeaders, ...others });
      const ResponseHeaders = headers.map(([Name, Value]) => ({ Name, Value }));
      return { Block: { CustomResponse: { ResponseCode, CustomResponseBodyKey, ResponseHeaders } } };
    };
    const authenticate = { 'WWW-Authenticate': 'Bearer realm="pet-store"' };
    const tooMany = block(429, 'too_many_requests', { 'Retry-After': '60' });
    const oversize = { SizeConstraintStatement: size };
    const noKey = { NotStatement: { Statement: { ByteMatchStatement: prefix } } };
    const malformed = { NotStatement: { Statement: { RegexMatchStatement: key } } };
    const unauthorized = block(401, 'unauthorized', authenticate);

    expect(PetStoreWebAcl).toMatchObject({
      DefaultAction: { Allow: {} },
      Rules: [
        { Name: 'OversizeHeaders', Priority: 0, Action: block(400, 'invalid_header'), Statement: oversize },
        { Name: 'NoKey', Priority: 1, Action: unauthorized, Statement: noKey },
        { Name: 'MalformedKey', Priority: 2, Action: unauthorized, Statement: malformed },
        { Name: 'RequestsPerKey', Priority: 3, Action: tooMany, Statement: { RateBasedStatement: perKey } },
        {
          Name: 'RequestsPerAddress',
          Priority: 4,
          Action: tooMany,
          Statement: { RateBasedStatement: perAddress },
        },
      ],
    });
  });

  it('blocks with an error of the contract', () => {
    const Content = '{"code":"invalid_header","message":"A header is invalid.","status":400}';

    expect(PetStoreWebAcl).toMatchObject({ CustomResponseBodies: { invalid_header: { Content } } });
  });

  it('keeps no samples, which would contain API keys', () => {
    expect(JSON.stringify(PetStoreWebAcl)).not.toContain('"SampledRequestsEnabled":true');
  });

  it("protects the API's stage", () => {
    const stage = '/restapis/PetStoreApi/stages/PetStoreApiDeploymentStagev1';

    expect(Object.values(propertiesOf('AWS::WAFv2::WebACLAssociation'))).toEqual([
      { ResourceArn: expect.stringContaining(stage), WebACLArn: expect.stringMatching(/:PetStoreWebAcl$/) },
    ]);
  });
});

it('warns of what nobody would notice', () => {
  const warningsWith = (settings: StageSettings) =>
    appWith(settings)
      .node.findAll()
      .flatMap(({ node }) => node.metadata)
      .filter(({ type }) => type === 'aws:cdk:warning')
      .flatMap(({ data }) => /Set (\S+) of production/.exec(`${data}`)?.[1] ?? []);
  const unwatched = { ...leastSettings, alarms: { page: [], ticket: [] } };

  expect(warningsWith(unwatched)).toEqual([
    'alarms.page',
    'alarms.ticket',
    'alarms.monthlyBudget',
    'alarms.runbook',
    'expectsTrafficWithin',
  ]);
  expect(warningsWith(everySetting)).toEqual([]);
});

it('subscribers get pages or tickets by email, or by a URL that only a parameter has', () => {
  expect(Object.values(propertiesOf('AWS::SNS::Subscription'))).toEqual([
    {
      TopicArn: 'MonitoringTopicsPage',
      Protocol: 'https',
      Endpoint: '{{resolve:ssm:/PetStore-production/pager}}',
    },
    { TopicArn: 'MonitoringTopicsTicket', Protocol: 'email', Endpoint: 'team@pets.example' },
  ]);
});
