// biome-ignore lint/suspicious/noImportCycles: its failure is tested.
import { first } from './imports-itself.mjs';

export const second = `${first}, second`;
