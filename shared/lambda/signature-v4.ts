import { createHash, createHmac } from 'node:crypto';

/** Who signs a request, and which service of which region it is for. */
export interface Signer {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials, such as those of a function's role. */
  readonly sessionToken: string | undefined;
  readonly region: string;
  readonly service: string;
}

/**
 * The headers of a signed POST to the root path of an AWS service: `headers` with a few more. All of them are signed:
 * their names are in lower case, their values without white space around them, and the host is one of them.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signPost(
  headers: Readonly<Record<string, string>>,
  body: string,
  { accessKeyId, secretAccessKey, sessionToken, region, service }: Signer,
  now: Date,
): Readonly<Record<string, string>> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const date = time.slice(0, 8);
  const signed: Record<string, string> = {
    ...headers,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  };

  const names = Object.keys(signed).sort();
  const lines = names.map((name) => `${name}:${signed[name]}`);
  const signedHeaders = names.join(';');
  const canonicalRequest = ['POST', '/', '', ...lines, '', signedHeaders, sha256(body)].join('\n');

  const scope = [date, region, service, 'aws4_request'];
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonicalRequest)].join('\n');
  const signature = hmac(key, toSign).toString('hex');

  return {
    ...signed,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
