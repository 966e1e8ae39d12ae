import { parentPort, workerData } from 'node:worker_threads';
import { fairUse } from '../../../infra/settings/fair-use.ts';
import { referenceFiles } from '../../reference/reference-files.ts';
import type { ReferenceRequest } from './reference-endpoints.ts';

const { file, baseUrl, apiKey }: ReferenceRequest = workerData;
// The limits per client are those of a stage: the local API has no web ACL.
parentPort?.postMessage(referenceFiles[file]({ baseUrl, fairUse }, apiKey));
