import { printableLine } from '../../infra/local/text/printable.ts';
import { withoutEncodedKey } from '../../infra/local/text/without-encoded-key.ts';
import { hideApiKeys } from '../../shared/contract/api-key.ts';

/** A message that may quote what others chose: on one line, and without a key that was put in the wrong place. */
export function messageText(text: string): string {
  return printableLine(hideApiKeys(text.replaceAll(/[^\s'"]*%[^\s'"]*/g, withoutEncodedKey)));
}
