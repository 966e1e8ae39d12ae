import { realpathSync } from 'node:fs';

/** An authorizer that does what the token says. */
export function authorize({ authorizationToken, methodArn }) {
  const [, wish] = authorizationToken.split(' ');
  if (wish === 'unauthorized') throw new Error('Unauthorized');
  if (wish === 'broken') throw new Error('The keys are unreachable.');
  if (wish === 'malformed') return { isAuthorized: true };
  return {
    principalId: 'someone',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: wish === 'deny' ? 'Deny' : 'Allow',
          Action: 'execute-api:Invoke',
          Resource: wish === 'narrow' ? methodArn : '*',
        },
      ],
    },
    context: { client: 'acme', calls: 7, isTest: true },
  };
}

/** A handler that returns what the body of the request says. */
export const repeat = ({ body }) => JSON.parse(Buffer.from(body, 'base64'));

/** A handler that responds with the environment. */
export const tellEnvironment = () => ({ ...process.env });

export function fail() {
  throw new TypeError('It failed.');
}

/** A handler that responds with the time that it has left, later than in a millisecond. */
export async function tellRemainingTime(_event, context) {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return context.getRemainingTimeInMillis();
}

/** A handler that logs, at each level, what Lambda's runtime treats in its own way. */
export function log() {
  console.debug('details');
  console.log('%d pets', 2);
  console.info(new Map([['name', 'Bella']]));
  console.info({ count: 1n });
  console.warn('It failed:', new RangeError('Too many.'));
  console.error(Object.assign(new TypeError('It failed.'), { code: 'E_TYPE' }));
}

/** A handler that responds with its directory, and with a file in it by a relative path. */
export const tellDirectory = () => [process.cwd(), realpathSync('index.mjs')];

/** A handler that uses more than the smallest memory at once. */
export const useMemory = () => new Array(5_000_000).fill(0.5).length;

/** A handler that logs data, a text and nothing. */
export function logObject() {
  console.info({ message: 'It went on.' });
  console.info('text');
}
