import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { HtmlRenderer, Parser } from 'commonmark';
import * as v from 'valibot';
import { stringifyJson } from '../../shared/contract/json.ts';
import { description } from '../../shared/service.ts';
import { type Address, fillTemplate, openApiDocument } from './document.ts';
import { pageGuide } from './page-guide.ts';

/**
 * Returns a self-contained page of the interface description. With a key, it can call the API. It begins with the
 * guide, which Scalar replaces once it has arrived and runs.
 */
export function referencePage(address: Address, apiKey?: string): string {
  const guide = pageGuide(
    address,
    apiKey && 'The API key is printed in the terminal, and this page uses it.',
  );
  const configuration = { ...configurationOf(apiKey), content: pageDocument(address, guide, apiKey) };
  const scalar = scalarScript();
  const start = fillTemplate('start-page.js', {});

  return fillTemplate('page.html', {
    title: description.title,
    guide: new HtmlRenderer({ safe: true }).render(new Parser().parse(guide)),
    // 'self' is meaningless for a page from the file system.
    scriptSources: [scalar, start].map(hashOf).join(' '),
    connectSources: apiKey === undefined ? "'none'" : "'self'",
    // Not every server compresses the page.
    scalar: gzipSync(scalar).toString('base64'),
    configuration: JSON.stringify(configuration).replaceAll('<', '\\u003c'),
    start,
  });
}

/**
 * Returns Scalar's script, a string in the code of its Fastify plugin: Scalar's own package has 270
 * dependencies (287 MB).
 */
function scalarScript(): string {
  const path = fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'));
  const [, literal] = /^var standalone_default = (".+");$/m.exec(readFileSync(path, 'utf8')) ?? [];
  if (literal === undefined) throw new Error(`${path} has no standalone_default.`);
  return `${runInNewContext(literal)}`;
}

const OptionalParameter = v.looseObject({
  in: v.picklist(['query', 'header']),
  required: v.optional(v.literal(false)),
  example: v.unknown(),
});

/**
 * Adapts the description to Scalar, which would round the bounds of an int64, and send each example at once. The
 * example of a header is left out: the second pet must not have the Idempotency-Key of the first.
 */
function pageDocument(address: Address, guide: string, apiKey?: string): unknown {
  const document = {
    ...openApiDocument(address, guide, apiKey),
    externalDocs: { url: 'openapi.json', description: 'openapi.json' },
  };
  return JSON.parse(stringifyJson(document), (_key, value: unknown) => {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
    if (!v.is(OptionalParameter, value)) return value;
    const { example, ...parameter } = value;
    if (parameter.in === 'header') return parameter;
    return { ...parameter, examples: { example: { value: example, 'x-disabled': true } } };
  });
}

/** https://github.com/scalar/scalar/blob/main/documentation/configuration.md */
const configurationOf = (apiKey?: string) => ({
  // A browser cannot call the API from a page on another origin.
  hideTestRequestButton: apiKey === undefined,
  authentication: {
    preferredSecurityScheme: 'apiKey',
    securitySchemes: { apiKey: { token: apiKey ?? '' } },
  },
  // The page has samples of its own for curl, which come first.
  hiddenClients: { shell: ['curl'] },
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

/** Returns what a Content-Security-Policy names an inline script by. https://www.w3.org/TR/CSP3/#grammardef-hash-source */
const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
