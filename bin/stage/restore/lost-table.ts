import type { BackupSummary } from '@aws-sdk/client-dynamodb';
import { readLastBackup } from '../aws/table-settings.ts';
import type { UsedTable } from '../aws/tables.ts';
import { command } from '../command.ts';
import { derive, type Fact, read } from '../fact.ts';
import type { Reading } from '../read-stage.ts';
import { type Finding, finding, formatTime, type Step, step } from '../report.ts';

/** Says how a table that does not exist comes back. */
export async function lostTable(
  { clients, attempt }: Reading,
  used: UsedTable,
): Promise<Fact<readonly Finding[]>> {
  const { id, name, table } = used;
  const noDeploy: Step = {
    text: `approve no deploy until the table of ${id} is back, with all that this command then names`,
  };
  if (table?.TableStatus === 'CREATING') {
    return read([finding(`${name} is being restored, which can take hours.`, noDeploy)]);
  }
  if (table)
    return read([finding(`${name} is being deleted: it can be restored in some minutes.`, noDeploy)]);
  const backup = await attempt(`backups of ${name}`, {}, () => readLastBackup(clients, name));
  return derive(backup, (last) => {
    const { says, next } = wayBack(name, last);
    return [finding(says, ...next, noDeploy)];
  });
}

function wayBack(
  name: string,
  { BackupArn, BackupCreationDateTime, BackupStatus }: Partial<BackupSummary> = {},
): Finding {
  const lost = `${name} does not exist any more`;
  if (!BackupArn || !BackupCreationDateTime) {
    return finding(`${lost}, and DynamoDB has no backup of it.`, {
      text: 'restore a copy of AWS Backup under the same name: bin/stage/restore.md#dynamodb-has-no-backup',
    });
  }
  const backup = `${lost}. Its last backup, of ${formatTime(BackupCreationDateTime)},`;
  if (BackupStatus !== 'AVAILABLE') return finding(`${backup} is ${BackupStatus}.`);
  // CloudFormation knows a table by its name.
  return finding(
    `${backup} has all items.`,
    step(
      'restore',
      'restore it under the same name',
      command`aws dynamodb restore-table-from-backup --backup-arn ${BackupArn} --target-table-name ${name}`,
    ),
  );
}
