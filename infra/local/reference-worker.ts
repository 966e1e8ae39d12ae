import { parentPort, workerData } from 'node:worker_threads';
import { stringifyJson } from '../../shared/contract/json.ts';
import { openApiDocument } from '../reference/document.ts';
import { referencePage } from '../reference/page.ts';
import type { ReferenceRequest } from './reference-endpoints.ts';

const { file, baseUrl, apiKey }: ReferenceRequest = workerData;
const body =
  file === 'index.html'
    ? await referencePage({ baseUrl }, apiKey)
    : stringifyJson(openApiDocument({ baseUrl }), 2);
parentPort?.postMessage(body);
