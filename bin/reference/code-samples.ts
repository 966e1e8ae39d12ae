import { requiredOf, textOf } from '../../shared/contract/example-parameters.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { callsOf } from './client-samples.ts';

/** Returns how to call an operation with curl, and with each client. */
export function codeSamplesOf(operation: Operation, baseUrl: string, apiKey = '$API_KEY') {
  const curl = { lang: 'curl', label: 'curl', source: curlOf(operation, baseUrl, apiKey) };
  return [curl, ...callsOf(operation.operationId)];
}

/** Returns a command that sends what a request must have, and each header that has an example. */
function curlOf({ method, path, parameters, body }: Operation, baseUrl: string, apiKey: string): string {
  const { path: inPath = {}, query, header = {} } = parameters;
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(`${inPath[name]?.example}`),
  );
  const url = `${baseUrl}${filledPath}${textOf(requiredOf(query))}`;
  // What curl sends without being told.
  const defaultMethod = body ? 'POST' : 'GET';
  return [
    `curl -i ${method === defaultMethod ? '' : `-X ${method} `}"${url}"`,
    `-H "Authorization: Bearer ${apiKey}"`,
    ...Object.entries(header).flatMap(([name, { example }]) =>
      example === undefined ? [] : `-H '${name}: ${example}'`,
    ),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${stringifyJson(body.example)}'`] : []),
  ].join(' \\\n  ');
}
