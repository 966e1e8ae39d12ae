import { list } from '../../../../test/support/contract/own-operations.ts';
import { List, logOf, minutesAgo } from './stage-names.ts';

export type Row = Readonly<Record<string, string | number>>;

/** Requests of the access log; a field that a request has not is `-` there. */
export const requests = (count: number, fields: Row = {}): Row => ({
  count,
  status: 200,
  responseType: '-',
  waf: 'WAF_ALLOW',
  method: 'GET',
  path: list.path,
  client: 'acme',
  keyId: 'aaaaaaaaaaaa',
  first: minutesAgo(59).getTime(),
  last: minutesAgo(0).getTime(),
  ...fields,
});

/** Lines that functions log. */
export const lines = (count: number, fields: Row): Row => ({
  count,
  log: logOf(List),
  version: 7,
  first: minutesAgo(20).getTime(),
  last: minutesAgo(0).getTime(),
  ...fields,
});

/** On the day before the requests of now. */
export const dayBefore = { first: minutesAgo(1400).getTime(), last: minutesAgo(61).getTime() };
