import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet, operations } from '../../shared/contract/operations.ts';
import { clientPackage } from '../settings/client-package.ts';
import { errorBudget } from '../settings/objectives.ts';
import { operationSettingsOf } from '../settings/operation-settings.ts';
import { type Address, fillTemplate, guide, openApiDocument } from './document.ts';
import { scalarScript } from './scalar.ts';
import { scriptHash } from './script-hash.ts';

/** Returns a self-contained page of the interface description. With a key, it can call the API. */
export async function referencePage(address: Address, apiKey?: string): Promise<string> {
  const configuration = { ...configurationOf(apiKey), content: pageDocument(address, apiKey) };
  const scripts = [
    await scalarScript(),
    `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)});`,
  ].map(withoutTags);

  return fillTemplate('page.html', {
    // 'self' is meaningless for a page from the file system.
    scriptSources: scripts.map(scriptHash).join(' '),
    connectSources: apiKey === undefined ? "'none'" : "'self'",
    scripts: scripts.map((script) => `<script>${script}</script>`).join(''),
  });
}

/** Removes the bounds of an int64, which a browser would round. */
function pageDocument(address: Address, apiKey?: string): unknown {
  const keySource = apiKey && 'The API key is printed in the terminal, and this page uses it.';
  const document = {
    ...openApiDocument(address, pageGuide(address, keySource)),
    externalDocs: { url: 'openapi.json', description: 'openapi.json' },
  };
  return JSON.parse(stringifyJson(document), (_key, value: unknown) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? undefined : value,
  );
}

/** Returns what a partner needs on the first day, in Markdown: the guide, and what depends on the stage. */
export function pageGuide({ baseUrl, contact, fairUse }: Address, keySource?: string): string {
  const methods = Object.values(operations).map(
    ({ operationId, method, path }) =>
      `| \`${method} ${path}\` | ${operationSettingsOf(operationId).throttling.rateLimit} |`,
  );
  const perClient = fairUse
    ? `An API key can send ${fairUse.perKey.toLocaleString('en')} requests per minute, an IP address ${fairUse.perAddress.toLocaleString('en')}. `
    : '';
  const operator = contact
    ? [contact.name, contact.email, contact.url].filter(Boolean).join(', ')
    : 'the operator of this API';
  return fillTemplate('page-guide.md', {
    baseUrl,
    clientPackage,
    guide: guide(),
    contact: operator,
    keySource: keySource ?? `You get an API key from ${operator}.`,
    newPetJson: stringifyJson(exampleNewPet),
    newPetLiteral: inspect(exampleNewPet),
    limits: `${perClient}All clients together:\n\n| operation | requests per second |\n|---|---|\n${methods.join('\n')}`,
    availability: `${100 * (1 - errorBudget)}%`,
    changelog: clientChanges(readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')),
  });
}

/** Returns the part of a changelog that is for clients, by release. */
export function clientChanges(changelog: string): string {
  const [, ...releases] = changelog.split(/^## /m);
  return releases
    .map((release) => {
      const [title = '', ...sections] = release.split(/^### /m);
      const forClients = sections.find((section) => section.startsWith('For clients')) ?? '';
      return `### ${title.trim()}${forClients.replace('For clients', '')}`;
    })
    .join('\n');
}

/** https://github.com/scalar/scalar/blob/main/documentation/configuration.md */
const configurationOf = (apiKey?: string) => ({
  // A browser cannot call the API from a page on another origin.
  hideTestRequestButton: apiKey === undefined,
  authentication: {
    preferredSecurityScheme: 'apiKey',
    securitySchemes: { apiKey: { token: apiKey ?? '' } },
  },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'none',
  // Of several tags, only the first would show its operations.
  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  hideModels: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  customCss: fillTemplate('style.css', {}),
});

/** Escapes what ends a script element or starts a comment, found only in strings and regular expressions. */
const withoutTags = (script: string) => script.replaceAll(/<(?=!--|\/?script)/gi, '\\x3c');
