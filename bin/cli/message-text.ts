import { hideApiKeys } from '../../infra/local/text/hide-api-keys.ts';
import { printableLine } from '../../infra/local/text/printable.ts';

/** The length of the longest message, in UTF-16 code units. */
const maxLength = 4000;

/** Makes a message safe to print: short, on one line, keys masked. */
export function messageText(text: string): string {
  const short = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return printableLine(hideApiKeys(short));
}
