import { stringifyJson } from '../../shared/contract/json.ts';
import type { RefusedRow } from './rows.ts';

/** A refused row as a line of a catalogue: once its fields are mended it can be imported, for `refused` is ignored. */
export function refusedLine({ line, reason, fields, text }: RefusedRow): string {
  return `${stringifyJson({ ...fields, refused: { line, reason, ...(text !== undefined && { text }) } })}\n`;
}
