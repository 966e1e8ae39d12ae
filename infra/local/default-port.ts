import { apiVersion } from '../../shared/contract/operations.ts';

/** The default port of the local API. */
export const defaultPort = 3000;

/** Returns the local API's base address on a port. */
export const localBaseUrl = (port: number) => `http://127.0.0.1:${port}/${apiVersion}`;
