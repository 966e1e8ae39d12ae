import { apiVersion } from '../../shared/contract/operations.ts';

export const defaultPort = 3000;

export const localBaseUrl = (port: number) => `http://127.0.0.1:${port}/${apiVersion}`;
