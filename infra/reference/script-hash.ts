import { createHash } from 'node:crypto';

/** Returns what a Content-Security-Policy names an inline script by. https://www.w3.org/TR/CSP3/#grammardef-hash-source */
export const scriptHash = (script: string) =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
