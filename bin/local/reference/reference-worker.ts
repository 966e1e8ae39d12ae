import { parentPort, workerData } from 'node:worker_threads';
import { openApiDocument } from '../../../infra/reference/document.ts';
import { referencePage } from '../../../infra/reference/page.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import type { ReferenceRequest } from './reference-endpoints.ts';

const { file, baseUrl, apiKey }: ReferenceRequest = workerData;
const body =
  file === 'index.html' ? referencePage({ baseUrl }, apiKey) : stringifyJson(openApiDocument({ baseUrl }), 2);
parentPort?.postMessage(body);
