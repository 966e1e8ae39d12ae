import { healthy, type World } from './fake-stage.ts';
import { idOf } from './stack-resources.ts';
import { functionName, List, minutesAgo, oldKeys, roleOf } from './stage-names.ts';
import { dayBefore, lines, type Row, requests } from './traffic.ts';
import { callers, trailEvent } from './trail-events.ts';

/**
 * Adds what is always there: some failures, scanners, made-up keys and throttled requests, a key that its client
 * uses no more, a table that an old restore has left over, and changes that nobody can notice.
 */
const nobody = { client: '-', keyId: '-' };

export function withBackground(world: World): World {
  const hourly = (count: number, fields: Row) => ({
    now: requests(count, { ...nobody, ...fields }),
    before: requests(24 * count, { ...nobody, ...fields, ...dayBefore }),
  });
  const noise = [
    hourly(9, { status: 500, path: '/unrelated' }),
    hourly(30, { status: 401, waf: 'WAF_BLOCK' }),
    hourly(6, { status: 401, responseType: 'ACCESS_DENIED' }),
    hourly(12, { status: 429, responseType: 'THROTTLED' }),
  ];
  const idle = requests(500, { client: 'idle', keyId: 'idle00000000', ...dayBefore });
  const { requests: rows, earlier, log, events, tables } = { ...healthy, ...world };
  return {
    ...world,
    requests: rows.length > 0 ? [...rows, ...noise.map(({ now }) => now)] : [],
    earlier: [...earlier, idle, ...noise.map(({ before }) => before)],
    log: [
      ...log,
      lines(9, {
        first: minutesAgo(59).getTime(),
        code: 'internal_error',
        error: 'Error',
        text: 'unrelated',
      }),
    ],
    events: [
      ...events,
      trailEvent({
        minutes: 21,
        source: 'logs.amazonaws.com',
        name: 'CreateLogStream',
        parameters: { logGroupName: idOf('AWS::Logs::LogGroup', `${List}Logs`) },
        caller: callers.role(roleOf(List), functionName(List)),
      }),
      trailEvent({
        minutes: 22,
        source: 'lambda.amazonaws.com',
        name: 'UpdateFunctionConfiguration20150331v2',
        parameters: { functionName: functionName(List) },
        caller: callers.service('cloudformation.amazonaws.com', 'cdk-hnb659fds-cfn-exec-role'),
      }),
    ],
    tables: { ...tables, [oldKeys]: 3 },
  };
}
