import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STSClient } from '@aws-sdk/client-sts';
import { beforeAll, expect, it, vi } from 'vitest';
import { explainError } from '../explain-error.ts';

it.each<[error: object, text: string]>([
  [{ message: 'Denied.' }, 'Denied.'],
  [
    { code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND dynamodb.eu-central-1.amazonaws.com' },
    'getaddrinfo ENOTFOUND dynamodb.eu-central-1.amazonaws.com: check the network, HTTPS_PROXY and AWS_ENDPOINT_URL.',
  ],
  [
    { code: 'ECONNREFUSED', message: '' },
    'ECONNREFUSED: check the network, HTTPS_PROXY and AWS_ENDPOINT_URL.',
  ],
  [
    { message: 'Region is missing' },
    'Region is missing: set AWS_REGION, or AWS_PROFILE to a profile of this machine that has one.',
  ],
  [
    { name: 'ExpiredTokenException', message: 'The security token included in the request is expired' },
    'The security token included in the request is expired',
  ],
  [
    {
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found: Table: pets not found',
    },
    'Requested resource not found: Table: pets not found',
  ],
])('explains %j by what it says', (properties, text) => {
  expect(explainError(Object.assign(new Error(), properties))).toBe(text);
});

const config = `
[profile ended-session]
sso_session = corporate
sso_account_id = 111111111111
sso_role_name = on-call
[sso-session corporate]
sso_start_url = https://corporate.example/start
sso_region = eu-central-1
[profile ended-session-of-old]
sso_start_url = https://corporate.example/start
sso_region = eu-central-1
sso_account_id = 111111111111
sso_role_name = on-call
[profile broken-process]
credential_process = node --eval process.exit(1)
[profile no-login]
login_session = arn:aws:iam::111111111111:user/alice
[profile keys]
aws_access_key_id = AKIAEXAMPLE
aws_secret_access_key = example
[profile with-mfa]
role_arn = arn:aws:iam::111111111111:role/on-call
source_profile = keys
mfa_serial = arn:aws:iam::111111111111:mfa/alice
[profile lost-source]
role_arn = arn:aws:iam::111111111111:role/on-call
source_profile = gone
`;

beforeAll(() => {
  const home = mkdtempSync(join(tmpdir(), 'aws-config-'));
  mkdirSync(join(home, '.aws/sso/cache'), { recursive: true });
  writeFileSync(join(home, '.aws/config'), config);
  const token = JSON.stringify({ accessToken: 'example', expiresAt: '2020-01-01T00:00:00Z' });
  // The SDK finds a session by its name, or by its start URL.
  for (const session of ['corporate', 'https://corporate.example/start']) {
    writeFileSync(join(home, '.aws/sso/cache', `${hash('sha1', session)}.json`), token);
  }
  vi.stubEnv('HOME', home);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  return () => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
  };
});

it.each<[profile: string, text: RegExp]>([
  ['ended-session', /SSO.*run 'aws sso login' with the corresponding profile/],
  ['ended-session-of-old', /SSO session associated with this profile has expired/],
  ['broken-process', /^Could not load credentials from any providers: aws sts get-caller-identity says why/],
  ['no-login', /login.cache/],
  ['with-mfa', /with-mfa requires multi-factor authentication/],
  ['lost-source', /^Could not load credentials from any providers: aws sts get-caller-identity says why/],
  ['misspelt', /^Could not load credentials from any providers: aws sts get-caller-identity says why/],
])("passes on the SDK's words about the credentials of the profile %s", async (profile, text) => {
  vi.stubEnv('AWS_PROFILE', profile);
  const { credentials } = new STSClient({ region: 'eu-central-1' }).config;

  const error: unknown = await credentials().catch((error: unknown) => error);

  expect(explainError(error)).toMatch(text);
});
