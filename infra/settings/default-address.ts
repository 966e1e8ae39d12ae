import { apiVersion } from '../../shared/contract/operations.ts';

export const defaultPort = 3000;

export const defaultBaseUrl = `http://127.0.0.1:${defaultPort}/${apiVersion}`;
