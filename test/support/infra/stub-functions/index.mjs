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

/** A handler that responds with its time zone. */
export const tellTimeZone = () => ({
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  midnight: new Date('2026-11-23T00:00Z').getHours(),
});

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
  console.debug('dropped');
  console.trace('dropped');
  console.log('%d pets', 2);
  console.info({ count: 1n });
  console.warn('It failed:', new RangeError('Too many.'));
  console.error(Object.assign(new TypeError('It failed.'), { code: 'E_TYPE' }));
}

export const tellDirectory = () => process.cwd();

/** A handler that uses more than the smallest memory at once. */
export const useMemory = () => Array.from({ length: 4 }, () => new Array(10_000_000).fill(0.5)).length;

/** A handler that uses all memory that V8 gives a thread, 200 MB at a time, unless the event has a response. */
export async function useMemoryInSteps({ response }) {
  const arrays = [];
  while (!response) {
    arrays.push(new Array(25_000_000).fill(0.5));
    await new Promise(setImmediate);
  }
  return response;
}

/** A handler that logs an error as the service does; Node's own `fetch` throws it without a stack. */
export function logError() {
  console.warn({ message: 'It was not sent.', error: { stack: 'TypeError: fetch failed' } });
  console.info({ message: 'It went on.' });
}
