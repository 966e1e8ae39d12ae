import type { StageName } from '../../infra/settings/stages.ts';
import { apiVersion } from '../../shared/service.ts';

/** The stage that `npm start` serves. */
export const defaultStage = 'staging' satisfies StageName;

export const defaultPort = 3000;

export const defaultBaseUrl = `http://127.0.0.1:${defaultPort}/${apiVersion}`;
