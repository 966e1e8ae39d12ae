import { stringifyJson } from '../../shared/contract/json.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import type { JsonObject } from './schemas.ts';

/** How to call an operation with curl and from TypeScript. */
export function codeSamples(operation: Operation, baseUrl: string): JsonObject[] {
  const { path, parameters } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name) => `${parameters.path?.[name]?.example}`);
  const url = `${baseUrl}${filled}`;
  return [
    { lang: 'shell', label: 'curl', source: curl(operation, url) },
    { lang: 'typescript', label: 'TypeScript', source: typescript(operation, url) },
  ];
}

const curl = ({ method, body }: Operation, url: string): string =>
  [
    `curl -i '${url}'`,
    ...(method === (body ? 'POST' : 'GET') ? [] : [`-X ${method}`]),
    '-H "Authorization: Bearer $API_KEY"',
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${stringifyJson(body.example)}'`] : []),
  ].join(' \\\n  ');

const typescript = ({ method, body }: Operation, url: string): string =>
  [
    `const response = await fetch('${url}', {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: The sample fills it in.
    '    Authorization: `Bearer ${process.env.API_KEY}`,',
    ...(body ? ["    'Content-Type': 'application/json',"] : []),
    '  },',
    ...(body ? [`  body: '${stringifyJson(body.example)}',`] : []),
    '});',
    'const text = await response.text();',
    'if (!response.ok) throw new Error(text);',
    'console.log(text);',
  ].join('\n');
