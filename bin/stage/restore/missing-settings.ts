import { tagsOf } from '../../../infra/stack-names.ts';
import { readRecovery, readTags, readTimeToLive } from '../aws/table-settings.ts';
import type { UsedTable } from '../aws/tables.ts';
import { command } from '../command.ts';
import { derive, type Fact, read, together } from '../fact.ts';
import type { Reading } from '../read-stage.ts';
import { type Finding, finding, type Step, step } from '../report.ts';

/**
 * Says what a table lacks of what a restore does not bring back, whether there was a restore or not.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreTableFromBackup.html
 */
export async function missingSettings(
  { stage, settings, clients, attempt }: Reading,
  { name, table, definition }: UsedTable,
): Promise<Fact<readonly Finding[]>> {
  const arn = table?.TableArn ?? '';
  const [recovery, timeToLive, tags] = await Promise.all([
    attempt(`point-in-time recovery of ${name}`, {}, () => readRecovery(clients, name)),
    definition.timeToLive === undefined
      ? read(undefined)
      : attempt(`time to live of ${name}`, {}, () => readTimeToLive(clients, name)),
    attempt(`tags of ${name}`, {}, () => readTags(clients, arn)),
  ]);
  return derive(together({ recovery, timeToLive, tags }), (found) => {
    const missing: [what: string, step: Step][] = [];
    if (found.timeToLive !== definition.timeToLive) {
      const specification = `Enabled=true,AttributeName=${definition.timeToLive}`;
      missing.push([
        'time to live',
        step(
          'restore',
          'let expired items be deleted',
          command`aws dynamodb update-time-to-live --table-name ${name} --time-to-live-specification ${specification}`,
        ),
      ]);
    }
    const tagsToAdd = Object.entries(tagsOf(stage))
      .filter(([key, value]) => found.tags.get(key) !== value)
      .map(([key, value]) => `Key=${key},Value=${value}`);
    if (tagsToAdd.length > 0) {
      missing.push([
        'tags',
        step(
          'restore',
          'tag it',
          command`aws dynamodb tag-resource --resource-arn ${arn} --tags ${tagsToAdd}`,
        ),
      ]);
    }
    if (!found.recovery.isOn) {
      missing.push([
        'point-in-time recovery',
        step(
          'restore',
          'let it be backed up',
          command`aws dynamodb update-continuous-backups --table-name ${name} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
        ),
      ]);
    }
    if (settings.hasDeletionProtection && !table?.DeletionProtectionEnabled) {
      missing.push([
        'deletion protection',
        step(
          'administrator',
          'protect it from deletion',
          command`aws dynamodb update-table --table-name ${name} --deletion-protection-enabled`,
        ),
      ]);
    }
    if (missing.length === 0) return [];
    const names = missing.map(([what]) => what).join(', ');
    return [
      finding(
        `${name} lacks what a restore does not bring back: ${names}.`,
        ...missing.map(([, step]) => step),
      ),
    ];
  });
}
