import type { Ids } from './id-file.ts';

/** How to talk with whoever runs the command. */
export interface Dialog {
  say(text: string): Promise<void>;
  /** Saves ids in a file, and returns its name. */
  save: (kind: 'different' | 'deleted', ids: Ids) => string;
  ask(question: string): Promise<string>;
  /** Shows the progress of work that reports each page with its number of items. */
  watch<T>(total: number | undefined, work: (onPage: OnPage) => Promise<T>): Promise<T>;
}

export type OnPage = (items: number) => Promise<void>;

export const isConfirmed = async ({ ask }: Dialog, question: string) =>
  /^y(es)?$/i.test(await ask(`${question} (yes or no)`));
