import {
  type BackupSummary,
  DescribeContinuousBackupsCommand,
  DescribeTimeToLiveCommand,
  ListBackupsCommand,
  ListTagsOfResourceCommand,
  type Tag,
} from '@aws-sdk/client-dynamodb';
import type { Clients } from './clients.ts';

// What a restore does not bring back, and what it needs:
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreTableFromBackup.html

/** Reads whether a table can be restored to a time, and to which. */
export async function readRecovery({ dynamodb }: Clients, TableName: string) {
  const { ContinuousBackupsDescription: backups } = await dynamodb.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const { PointInTimeRecoveryStatus: status, ...recovery } = backups?.PointInTimeRecoveryDescription ?? {};
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } = recovery;
  return { isOn: status === 'ENABLED', earliest, latest };
}

/** Reads the attribute with the instant at which DynamoDB deletes an item; undefined if it deletes none. */
export async function readTimeToLive({ dynamodb }: Clients, TableName: string): Promise<string | undefined> {
  const { TimeToLiveDescription: found } = await dynamodb.send(new DescribeTimeToLiveCommand({ TableName }));
  const isOn = found?.TimeToLiveStatus === 'ENABLED' || found?.TimeToLiveStatus === 'ENABLING';
  return isOn ? found.AttributeName : undefined;
}

export async function readTags({ dynamodb }: Clients, ResourceArn: string) {
  const tags: Tag[] = [];
  let NextToken: string | undefined;
  do {
    const page = await dynamodb.send(
      new ListTagsOfResourceCommand({ ResourceArn, ...(NextToken !== undefined && { NextToken }) }),
    );
    tags.push(...(page.Tags ?? []));
    ({ NextToken } = page);
  } while (NextToken !== undefined);
  return new Map(tags.map(({ Key, Value }) => [Key, Value]));
}

/** Reads the newest backup that DynamoDB made when a table of this name was deleted, and keeps for 35 days. */
export async function readLastBackup({ dynamodb }: Clients, TableName: string) {
  const found: BackupSummary[] = [];
  let ExclusiveStartBackupArn: string | undefined;
  do {
    const page = await dynamodb.send(
      new ListBackupsCommand({
        TableName,
        BackupType: 'SYSTEM',
        ...(ExclusiveStartBackupArn !== undefined && { ExclusiveStartBackupArn }),
      }),
    );
    found.push(...(page.BackupSummaries ?? []));
    ExclusiveStartBackupArn = page.LastEvaluatedBackupArn;
  } while (ExclusiveStartBackupArn !== undefined);
  const time = ({ BackupCreationDateTime: at }: BackupSummary) => at?.getTime() ?? 0;
  return found.toSorted((a, b) => time(b) - time(a))[0];
}
