import { comparedPages } from './compare.ts';
import type { Ids } from './id-file.ts';
import { isOfKeys } from './item.ts';
import { deleteCopy, type OpenTables } from './open-tables.ts';
import { type Survey, surveyOf } from './survey.ts';
import { type Written, writeItems } from './write-items.ts';

interface Choice {
  /** Ids of items that stay as they are. */
  readonly except: Ids;
  /** What to overwrite, with its versions; undefined: add what is missing. */
  readonly overwrite: Ids | undefined;
  /** The most items to read or write per second. */
  readonly rate: number;
}

/** How to talk with whoever runs the command. */
export interface Dialog {
  say(text: string): Promise<void>;
  /** Saves ids in a file, and returns its name. */
  save(kind: 'different' | 'deleted', ids: Ids): string;
  ask(question: string): Promise<string>;
  /** Shows the progress of work that reports each page with its number of items. */
  watch<T>(total: number | undefined, work: (onPage: OnPage) => Promise<T>): Promise<T>;
}

export type OnPage = (items: number) => Promise<void>;

/**
 * Compares a copy with a table, asks, and puts items back.
 *
 * @returns the exit code
 */
export async function putItemsBack(tables: OpenTables, choice: Choice, dialog: Dialog): Promise<0 | 2> {
  const { definition, table, copy } = tables;
  const { except, overwrite } = choice;
  const listed = overwrite && [...overwrite.keys()];
  await dialog.say(`Comparing ${copy.name} with ${table.name}.`);
  const survey = await dialog.watch(listed?.length, (onPage) =>
    surveyOf(definition, comparedPages(tables, except, listed), { overwrite, onPage }),
  );
  for (const text of overwrite
    ? listedTexts(survey, overwrite)
    : foundTexts(survey, isOfKeys(definition), dialog)) {
    await dialog.say(text);
  }

  if (survey.ids.length > 0) {
    const result = await writeIfConfirmed(tables, choice, survey, dialog);
    if (!result) {
      await dialog.say('Nothing was written.');
      return 0;
    }
    if (result.rejected.length > 0) return 2;
  }
  const isStillNeeded = !overwrite && !isOfKeys(definition) && survey.different.size > 0;
  if (tables.isDeletable && !isStillNeeded) await offerToDelete(tables, dialog);
  return 0;
}

async function writeIfConfirmed(
  tables: OpenTables,
  { except, overwrite, rate }: Choice,
  { ids, cost }: Survey,
  dialog: Dialog,
): Promise<Written | undefined> {
  const minutes = Math.ceil(ids.length / rate / 60);
  const question = `${overwrite ? 'Overwrite' : 'Add'} ${count(ids.length)} in about ${count(minutes)} min, for about $${cost.toFixed(2)} in us-east-1?`;
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

async function offerToDelete(tables: OpenTables, dialog: Dialog): Promise<void> {
  const { name } = tables.copy;
  if (!(await isConfirmed(dialog, `Delete ${name}? Nothing more can be put back from it then.`))) return;
  await deleteCopy(tables);
  await dialog.say(`Deleted ${name}.`);
}

const isConfirmed = async ({ ask }: Dialog, question: string) =>
  /^y(es)?$/i.test(await ask(`${question} (yes or no)`));

const count = (total: number) => total.toLocaleString('en');

function foundTexts(
  { counts, different, deleted, keys }: Survey,
  isOfKeys: boolean,
  dialog: Dialog,
): string[] {
  const total = Object.values(counts).reduce((sum, items) => sum + items, 0);
  const parts = [
    `the table lacks ${count(counts.missing)}`,
    `${count(counts.different)} differ`,
    `${count(counts.deleted)} were deleted since`,
    `${count(counts.same)} are the same`,
    ...(counts.excepted > 0 ? [`${count(counts.excepted)} are excepted`] : []),
    ...(counts.purged > 0 ? [`${count(counts.purged)} are past their time to live`] : []),
  ];
  const texts = [`Of the copy's ${count(total)} items, ${parts.join(', ')}.`];
  if (keys.length > 0) {
    texts.push(
      ...keys.map((key) => `  ${key}`),
      'Nobody knows whether these keys were revoked after the copy was made. To leave some out, answer no, and pass a file with their ids with --except.',
    );
  }
  if (isOfKeys) return texts;
  if (different.size > 0) {
    const path = dialog.save('different', different);
    texts.push(
      `What differs is in ${path}: to overwrite it, keep the right lines, and pass it with --overwrite.`,
    );
  }
  if (deleted.size > 0) {
    const path = dialog.save('deleted', deleted);
    texts.push(`What was deleted is in ${path}: pass it with --overwrite only to undo wrong deletions.`);
  }
  return texts;
}

function listedTexts({ counts, ids }: Survey, overwrite: Ids): string[] {
  const changed = counts.different + counts.deleted - ids.length;
  const found = Object.values(counts).reduce((sum, items) => sum + items, 0);
  const parts = [
    `${count(ids.length)} are as they were`,
    `${count(counts.same)} are the same as in the copy`,
    `${count(changed + counts.missing)} have changed since, and stay`,
    ...(counts.excepted > 0 ? [`${count(counts.excepted)} are excepted`] : []),
    ...(overwrite.size > found ? [`${count(overwrite.size - found)} are not in the copy`] : []),
  ];
  return [`Of ${count(overwrite.size)} listed items, ${parts.join(', ')}.`];
}

function writtenTexts({ written, changed, rejected }: Written): string[] {
  return [
    `Written: ${count(written)}.`,
    ...(changed > 0 ? [`Changed meanwhile, and left as they are: ${count(changed)}.`] : []),
    ...rejected.map((text) => `Rejected: ${text}`),
  ];
}
