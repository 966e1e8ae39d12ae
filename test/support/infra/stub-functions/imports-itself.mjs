// biome-ignore lint/suspicious/noImportCycles: its failure is tested.
import { second } from './imported-back.mjs';

export const first = 'first';
export const handler = () => second;
