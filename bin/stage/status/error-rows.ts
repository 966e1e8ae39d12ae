import { tableOutput } from '../../../infra/stack-names.ts';
import { tables } from '../../../shared/service.ts';
import { namesOf, type TableDefinition } from '../../../shared/tables/table.ts';
import { type LogGroup, spanOf, sumOf } from '../aws/requests.ts';
import type { Stack } from '../aws/stack.ts';
import { keysId } from '../aws/tables.ts';
import { command } from '../command.ts';
import type { Fact } from '../fact.ts';
import { count, listed, type Row, shortTime, step, unreadRows } from '../report.ts';
import type { Facts } from './facts.ts';

/** Returns the errors of each version of a function, by its log, and the items that are damaged. */
export function errorRows({ logs }: Pick<Facts, 'logs'>, stack: Fact<Stack>): readonly Row[] {
  const read = logs.flatMap((log) => (log.isRead ? [log.value] : []));
  const errors = read.flatMap(({ name, failures }) => {
    const others = failures.filter(({ table }) => table === '');
    const kinds = Map.groupBy(others, ({ version, code, error, cause }) =>
      [version, code, error, cause].join(),
    );
    return [...kinds.values()].map((groups) => ({
      count: sumOf(groups),
      of: `${name} ${groups[0]?.version}`,
      text: errorText(name, groups),
    }));
  });
  // The first of each version of a function, then the second: many kinds of one hide no other.
  const largest = errors.toSorted((a, b) => b.count - a.count);
  const placeOf = (error: (typeof errors)[number]) =>
    largest.filter(({ of }) => of === error.of).indexOf(error);
  const lines = largest.toSorted((a, b) => placeOf(a) - placeOf(b)).map(({ text }) => text);
  const missing = logs.flatMap((log) => (log.isRead ? [] : log.missing));
  const title = 'Errors logged';
  return [
    ...listed(title, { isRead: true, value: lines.length > 0 || missing.length > 0 ? lines : ['none'] }, 4),
    ...unreadRows(title, missing),
    ...(stack.isRead
      ? damagedRows(
          read.flatMap(({ failures }) => failures),
          stack.value,
        )
      : []),
  ];
}

/** A message may be long: IAM says last which policy denies. */
const mostLetters = 500;

function errorText(log: string, groups: readonly LogGroup[]): string {
  const { count: total, first, last } = spanOf(groups);
  const { version, code, error, cause, event, text } = groups.toSorted((a, b) => b.count - a.count)[0] ?? {};
  const what = [...new Set([code, error, cause, event, text])].filter(Boolean).join(', ');
  const texts = new Set(groups.map((own) => own.text)).size;
  const others = texts > 1 ? `; other texts: ${texts - 1}` : '';
  return `${log} version ${version || '?'}: ${count(total)} times, ${shortTime(first)} to ${shortTime(last)}: ${what.slice(0, mostLetters)}${others}`;
}

/** Returns items that the service would not have written, with what reads the first and puts it back. */
function damagedRows(failures: readonly LogGroup[], { outputs }: Stack): readonly Row[] {
  const damaged = failures.filter(({ table }) => table !== '');
  const [item] = damaged;
  const definition = tables.find(({ id }) => id === item?.table);
  if (!item || !definition) return [];
  const values = item.key.split(',');
  const keyTypes: TableDefinition['keyTypes'] = definition.keyTypes;
  const key = namesOf(definition.key).map((name, place) => [name, { [`${keyTypes[name]}`]: values[place] }]);
  const name = outputs[tableOutput(item.table)] ?? '<table>';
  const read = command`aws dynamodb get-item --table-name ${name} --key ${JSON.stringify(Object.fromEntries(key))} --query Item --output json > item.json`;
  const putBack = command`aws dynamodb put-item --table-name ${name} --cli-binary-format base64 --item file://item.json --condition-expression ${`attribute_exists(${namesOf(definition.key)[0]})`}`;
  const items = [...new Set(damaged.map(({ table, key: own }) => `${table} ${own}`))];
  const more = items.length > 5 ? ` and ${items.length - 5} more` : '';
  const text = `${items.slice(0, 5).join(', ')}${more}; wrong in the first: ${item.attributes}`;
  const commands = item.table === keysId ? [read] : [read, putBack];
  return [{ title: 'Damaged items', text, steps: [step('on-call', '', ...commands)] }];
}
