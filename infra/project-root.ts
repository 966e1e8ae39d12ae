import { fileURLToPath } from 'node:url';

/** The absolute path of the project's directory, with a separator at its end. */
export const projectRoot = fileURLToPath(new URL('..', import.meta.url));
