import type { PetStoreClient } from '../../shared/client/pet-store-client.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { examplePet } from '../../shared/contract/operations.ts';
import type { JsonObject } from './schemas.ts';

/** How to call an operation with curl and from TypeScript: with the client where it has the operation, else with fetch. */
export function codeSamples(operation: Operation, baseUrl: string): JsonObject[] {
  const { path, parameters } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name) => `${parameters.path?.[name]?.example}`);
  const url = `${baseUrl}${filled}`;
  const call = calls[operation.operationId];
  return [
    { lang: 'shell', label: 'curl', source: curl(operation, url) },
    {
      lang: 'typescript',
      label: 'TypeScript',
      source: call ? withClient(call, baseUrl) : withFetch(operation, url),
    },
  ];
}

const curl = ({ method, body }: Operation, url: string): string =>
  [
    `curl -i '${url}'`,
    ...(method === (body ? 'POST' : 'GET') ? [] : [`-X ${method}`]),
    '-H "Authorization: Bearer $API_KEY"',
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${stringifyJson(body.example)}'`] : []),
  ].join(' \\\n  ');

/** The call of an operation with the client of this project, in TypeScript. */
const calls: Readonly<Partial<Record<string, string>>> = {
  listPets: "for await (const page of api.listPets({ status: 'available' })) console.log(page);",
  createPet: `const { pet } = await api.createPet({ name: '${examplePet.name}', categoryId: ${examplePet.categoryId}n }, 'order-4711');
console.log(pet);`,
  getPet: `console.log(await api.getPet(${examplePet.id}n));`,
} satisfies Partial<Record<keyof PetStoreClient, string>>;

const withClient = (call: string, baseUrl: string): string =>
  `import { PetStoreClient } from './shared/client/pet-store-client.ts';

const { API_KEY: apiKey = '' } = process.env;
const api = new PetStoreClient({ baseUrl: '${baseUrl}', apiKey });
${call}`;

const withFetch = ({ method, body }: Operation, url: string): string =>
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
