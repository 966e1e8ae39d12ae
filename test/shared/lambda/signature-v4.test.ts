import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signPost } from '../../../shared/lambda/signature-v4.ts';

const word = fc.stringMatching(/^[A-Za-z0-9/+=]{1,40}$/);
const signer = fc.record({
  accessKeyId: word,
  secretAccessKey: word,
  sessionToken: fc.option(word, { nil: undefined }),
  region: fc.constantFrom('us-east-1', 'eu-central-2', 'cn-north-1'),
  service: fc.constantFrom('dynamodb', 'sts'),
});
const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
const headers = fc.record({
  host: fc.constantFrom('dynamodb.us-east-1.amazonaws.com', 'localhost:8000'),
  'content-type': fc.constant('application/x-amz-json-1.0'),
  'x-amz-target': word,
});

describe('signPost', () => {
  it('signs as the signer of the AWS SDK does', async () => {
    await fc.assert(
      fc.asyncProperty(
        headers,
        fc.string({ unit: 'binary' }),
        signer,
        instant,
        async (given, body, by, now) => {
          const { region, service, sessionToken, ...keys } = by;
          const sdk = new SignatureV4({
            region,
            service,
            sha256: Sha256,
            applyChecksum: false,
            credentials: { ...keys, ...(sessionToken !== undefined && { sessionToken }) },
          });
          const request = {
            method: 'POST',
            protocol: 'https:',
            hostname: given.host,
            path: '/',
            headers: given,
            query: {},
            body,
          };

          const signed = signPost(given, body, by, now);

          expect(signed).toEqual((await sdk.sign(request, { signingDate: now })).headers);
        },
      ),
    );
  });
});
