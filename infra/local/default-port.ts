import { apiVersion } from '../../shared/contract/operations.ts';

/** The port of the local API unless another is asked for. */
export const defaultPort = 3000;

/** The base address of the local API on a port. */
export const localBaseUrl = (port: number) => `http://127.0.0.1:${port}/${apiVersion}`;
