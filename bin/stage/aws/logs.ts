import { GetQueryResultsCommand, StartQueryCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { Clients } from './clients.ts';

export type Period = ReturnType<typeof before>;

/** Returns the minutes before an instant. */
export const before = (to: Date, minutes: number) => ({
  from: new Date(to.getTime() - minutes * 60_000),
  to,
});

/** A dozen queries at once may together ask for results ten times a second. */
const pollMilliseconds = 2000;
const maxPolls = 30;

/** The most rows that a query returns. https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-Limit.html */
const maxRows = 10_000;

/**
 * Runs a query in CloudWatch Logs Insights, and returns the fields of its rows by name.
 *
 * @throws {Error} if it does not end well, or has too many rows to be complete
 */
export async function query(
  { logs, clock }: Clients,
  logGroupName: string,
  lines: readonly string[],
  { from, to }: Period,
) {
  const { queryId } = await logs.send(
    new StartQueryCommand({
      logGroupNames: [logGroupName],
      queryString: [...lines, `limit ${maxRows}`].join('\n| '),
      startTime: Math.floor(from.getTime() / 1000),
      endTime: Math.floor(to.getTime() / 1000),
    }),
  );
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const page = await logs.send(new GetQueryResultsCommand({ queryId }));
    const { status, results: rows = [] } = page;
    if (status === 'Complete') {
      for (let { nextToken } = page; nextToken !== undefined; ) {
        const next = await logs.send(new GetQueryResultsCommand({ queryId, nextToken }));
        rows.push(...(next.results ?? []));
        nextToken = next.nextToken;
      }
      if (rows.length >= maxRows) throw new Error('There are too many rows: take fewer --minutes.');
      return rows.map((row) => Object.fromEntries(row.map(({ field, value }) => [`${field}`, value])));
    }
    // While it runs, it has only some of its rows.
    if (status !== 'Running' && status !== 'Scheduled') throw new Error(`The query ended as ${status}.`);
    await clock.pause(pollMilliseconds);
  }
  throw new Error('The query took over a minute.');
}
