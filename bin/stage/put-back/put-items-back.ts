import { comparedPages } from './compare.ts';
import { offerToDeleteCopy } from './delete-copy.ts';
import { type Dialog, isConfirmed } from './dialog.ts';
import type { Ids } from './id-file.ts';
import { isOfKeys } from './item.ts';
import type { OpenTables } from './open-tables.ts';
import { type Survey, surveyOf } from './survey.ts';
import { count, missingTexts, overwriteTexts, savedTexts, uncopiedTexts, writtenTexts } from './texts.ts';
import { type Written, writeItems } from './write-items.ts';

interface Choice {
  /** Ids of items that stay as they are. */
  readonly except: Ids;
  /** What to overwrite, with its versions; undefined: add what is missing. */
  readonly overwrite: Ids | undefined;
  /** The only items to look at; undefined: all. */
  readonly only: Ids | undefined;
  /** The most items to read or write per second. */
  readonly rate: number;
}

/**
 * Compares a copy with a table, asks, and puts items back.
 *
 * @returns the exit code
 */
export async function putItemsBack(tables: OpenTables, choice: Choice, dialog: Dialog): Promise<0 | 2> {
  const { definition, table, copy } = tables;
  const { except, overwrite, only } = choice;
  const listed = (overwrite ?? only)?.keys().toArray();
  await dialog.say(`Comparing ${copy.name} with ${table.name}.`);
  const survey = await dialog.watch(listed?.length, (onPage) =>
    surveyOf(definition, comparedPages(tables, except, listed), { overwrite, onPage }),
  );
  const texts = overwrite ? overwriteTexts(survey) : missingTexts(survey);
  for (const text of [...texts, ...uncopiedTexts(survey, listed)]) await dialog.say(text);
  if (!overwrite && !isOfKeys(definition)) {
    for (const text of savedTexts(survey, dialog.save)) await dialog.say(text);
  }
  if (survey.ids.length > 0) {
    const result = await writeIfConfirmed(tables, choice, survey, dialog);
    if (!result) {
      await dialog.say('Nothing was written.');
      return 0;
    }
    if (result.rejected.length > 0) return 2;
  }
  // Of a list, it was compared with nothing else.
  const isStillNeeded = listed || (!isOfKeys(definition) && survey.different.size > 0);
  if (!isStillNeeded) await offerToDeleteCopy(tables, dialog);
  return 0;
}

async function writeIfConfirmed(
  tables: OpenTables,
  { except, overwrite, rate }: Choice,
  { ids, cost }: Survey,
  dialog: Dialog,
): Promise<Written | undefined> {
  const minutes = Math.ceil(ids.length / rate / 60);
  const dollars = cost < 0.01 ? 'less than $0.01' : `about $${cost.toFixed(2)}`;
  const question = `${overwrite ? 'Overwrite' : 'Add'} ${count(ids.length)} in about ${count(minutes)} min, for ${dollars} in us-east-1?`;
  if (!(await isConfirmed(dialog, question))) return undefined;
  const result: Written = { written: 0, changed: 0, rejected: [] };
  try {
    await dialog.watch(ids.length, (onPage) =>
      writeItems(tables.table, comparedPages(tables, except, ids), { overwrite, result, onPage }),
    );
  } finally {
    for (const text of writtenTexts(result)) await dialog.say(text);
  }
  return result;
}
