import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { copyPrefix } from '../../../infra/stack-names.ts';
import { type Dialog, isConfirmed } from './dialog.ts';
import type { OpenTables } from './open-tables.ts';

/** Asks whether to delete the copy, but only one that was made for this stage, to be put back from. */
export async function offerToDeleteCopy({ stage, copy }: OpenTables, dialog: Dialog): Promise<void> {
  const { client, name, isElsewhere } = copy;
  if (isElsewhere || !name.startsWith(copyPrefix(stage))) return;
  if (!(await isConfirmed(dialog, `Delete ${name}? Nothing more can be put back from it then.`))) return;
  await client.send(new DeleteTableCommand({ TableName: name }));
  await dialog.say(`Deleted ${name}.`);
}
