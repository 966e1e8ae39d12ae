import { parentPort, workerData } from 'node:worker_threads';
import { fairUse } from '../../../infra/settings/fair-use.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { openApiDocument } from '../../reference/document.ts';
import { referencePage } from '../../reference/page.ts';
import type { ReferenceRequest } from './reference-endpoints.ts';

const { file, baseUrl, apiKey }: ReferenceRequest = workerData;
// The limits per client are those of a stage: the local API has no web ACL.
const address = { baseUrl, fairUse };
const body =
  file === 'index.html' ? referencePage(address, apiKey) : stringifyJson(openApiDocument(address), 2);
parentPort?.postMessage(body);
