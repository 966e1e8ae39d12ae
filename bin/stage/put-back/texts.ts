import type { Ids } from './id-file.ts';
import type { Survey } from './survey.ts';
import type { Written } from './write-items.ts';

export const count = (total: number) => total.toLocaleString('en');

const totalOf = ({ counts }: Survey) => Object.values(counts).reduce((sum, items) => sum + items, 0);

/** Says what a comparison has found, with the keys that would work again. */
export function missingTexts(survey: Survey): string[] {
  const { counts, keys } = survey;
  const parts = [
    `the table lacks ${count(counts.missing)}`,
    `${count(counts.different)} differ`,
    `${count(counts.deleted)} were deleted since`,
    `${count(counts.same)} are the same`,
    ...(counts.excepted > 0 ? [`${count(counts.excepted)} are excepted`] : []),
    ...(counts.purged > 0 ? [`${count(counts.purged)} are past their time to live`] : []),
  ];
  const found = `Of ${count(totalOf(survey))} items of the copy, ${parts.join(', ')}.`;
  if (keys.length === 0) return [found];
  return [
    found,
    ...keys.map((key) => `  ${key}`),
    'Nobody knows whether these keys were revoked after the copy was made. To leave some out, answer no, and pass a file with their ids with --except.',
  ];
}

/** Saves what a second run could overwrite, and says where. */
export function savedTexts(
  { different, deleted }: Survey,
  save: (kind: 'different' | 'deleted', ids: Ids) => string,
): string[] {
  const texts: string[] = [];
  if (different.size > 0) {
    const path = save('different', different);
    texts.push(
      `What differs is in ${path}: to overwrite it, keep the right lines, and pass it with --overwrite.`,
    );
  }
  if (deleted.size > 0) {
    const path = save('deleted', deleted);
    texts.push(`What was deleted is in ${path}: pass it with --overwrite only to undo wrong deletions.`);
  }
  return texts;
}

/** Says how many of the listed ids the copy does not have. */
export function uncopiedTexts(survey: Survey, listed: readonly string[] = []): string[] {
  const lacking = listed.length - totalOf(survey);
  return lacking > 0 ? [`The copy lacks ${count(lacking)} of the listed ids.`] : [];
}

/** Says what a comparison has found of the items to overwrite. */
export function overwriteTexts(survey: Survey): string[] {
  const { counts, ids } = survey;
  const changed = counts.different + counts.deleted + counts.missing - ids.length;
  const parts = [
    `${count(ids.length)} are as they were`,
    `${count(counts.same)} are the same as in the copy`,
    `${count(changed)} have changed since, and stay`,
    ...(counts.excepted > 0 ? [`${count(counts.excepted)} are excepted`] : []),
  ];
  return [`Of ${count(totalOf(survey))} listed items, ${parts.join(', ')}.`];
}

/** Says what was written. */
export function writtenTexts({ written, changed, rejected }: Written): string[] {
  return [
    `Written: ${count(written)}.`,
    ...(changed > 0 ? [`Changed meanwhile, and left as they are: ${count(changed)}.`] : []),
    ...rejected.map((text) => `Rejected: ${text}`),
  ];
}
