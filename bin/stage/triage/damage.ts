import { tableOutput } from '../../../infra/stack-names.ts';
import { tables } from '../../../shared/service.ts';
import { namesOf, type TableDefinition } from '../../../shared/tables/table.ts';
import { keysId } from '../aws/tables.ts';
import { command } from '../command.ts';
import { step } from '../report.ts';
import type { Known } from './facts.ts';
import type { Problem } from './problem.ts';

/** Items that the service would not have written. */
export function damage({ log, stack }: Pick<Known, 'log' | 'stack'>): Problem | undefined {
  const damaged = log.filter(({ table }) => table !== '');
  const [item] = damaged;
  const definition = tables.find(({ id }) => id === item?.table);
  if (!item || !definition) return undefined;
  const values = item.key.split(',');
  const keyTypes: TableDefinition['keyTypes'] = definition.keyTypes;
  const key = namesOf(definition.key).map((name, place) => [name, { [`${keyTypes[name]}`]: values[place] }]);
  const name = stack.outputs[tableOutput(item.table)] ?? '<table>';
  const putBack = step(
    'on-call',
    'put it back',
    command`aws dynamodb put-item --table-name ${name} --cli-binary-format base64 --item file://item.json --condition-expression ${`attribute_exists(${namesOf(definition.key)[0]})`}`,
  );
  const items = new Set(damaged.map(({ table, key: own }) => `${table} ${own}`));
  return {
    says: `Damaged items: ${[...items].slice(0, 5).join(', ')}, with wrong ${item.attributes}.`,
    next: [
      step(
        'on-call',
        'read it, and correct it in the file: docs/runbook.md#a-damaged-item',
        command`aws dynamodb get-item --table-name ${name} --key ${JSON.stringify(Object.fromEntries(key))} --query Item --output json > item.json`,
      ),
      ...(item.table === keysId ? [] : [putBack]),
    ],
  };
}
