import { apiVersion } from '../../shared/contract/operations.ts';
import type { StageName } from './stages.ts';

/** The stage that `npm start` serves. */
export const defaultStage = 'staging' satisfies StageName;

export const defaultPort = 3000;

export const defaultBaseUrl = `http://127.0.0.1:${defaultPort}/${apiVersion}`;
