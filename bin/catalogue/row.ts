/** A row of a catalogue. In CSV, values are text or undefined. */
export interface Row {
  /** The last line that it takes up. */
  readonly line: number;
  readonly cells: readonly (readonly [column: string, value: unknown])[];
  /** Why it has no cells. */
  readonly unreadable?: { readonly reason: string; readonly text: string };
}
