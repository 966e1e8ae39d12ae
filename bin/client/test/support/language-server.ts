import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';

const Message = v.looseObject({
  id: v.optional(v.union([v.number(), v.string()])),
  method: v.optional(v.string()),
  result: v.optional(v.unknown()),
});

const Hover = v.object({ contents: v.object({ value: v.string() }) });

/**
 * What an editor asks TypeScript's language server.
 *
 * @see https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
 */
export class LanguageServer implements AsyncDisposable {
  readonly #process = spawn(
    process.execPath,
    [resolve('node_modules/typescript/bin/tsc'), '--lsp', '--stdio'],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  readonly #pending = new Map<unknown, (result: unknown) => void>();
  #received = Buffer.alloc(0);
  #lastId = 0;

  constructor() {
    this.#process.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  async start(): Promise<void> {
    await this.#request('initialize', {
      processId: null,
      rootUri: null,
      capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
      // Otherwise it installs types of JavaScript's packages, with npm.
      initializationOptions: {
        userPreferences: { tsserver: { automaticTypeAcquisition: { enabled: false } } },
      },
    });
    this.#send({ method: 'initialized', params: {} });
  }

  /** Returns what it shows over the first place of each text in a file. */
  async hoversOver(file: string, texts: readonly string[]): Promise<string[]> {
    const content = readFileSync(file, 'utf8');
    const uri = pathToFileURL(file).href;
    const textDocument = { uri, languageId: 'typescript', version: 1, text: content };
    this.#send({ method: 'textDocument/didOpen', params: { textDocument } });
    return await Promise.all(
      texts.map(async (text) => {
        const lines = content.slice(0, content.indexOf(text)).split('\n');
        const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
        const hover = await this.#request('textDocument/hover', { textDocument: { uri }, position });
        return v.parse(Hover, hover).contents.value;
      }),
    );
  }

  #request(method: string, params: unknown): Promise<unknown> {
    const { promise, resolve: settle } = Promise.withResolvers<unknown>();
    this.#lastId += 1;
    this.#pending.set(this.#lastId, settle);
    this.#send({ id: this.#lastId, method, params });
    return promise;
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const start = this.#received.indexOf('\r\n\r\n') + 4;
      const [, length] = /Content-Length: (\d+)/.exec(this.#received.toString('latin1', 0, start)) ?? [];
      const end = start + Number(length);
      if (length === undefined || this.#received.length < end) return;
      const { id, method, result } = v.parse(
        Message,
        JSON.parse(this.#received.toString('utf8', start, end)),
      );
      this.#received = this.#received.subarray(end);
      // It asks for settings, and to be told of changes.
      if (id !== undefined && method !== undefined) this.#send({ id, result: null });
      else this.#pending.get(id)?.(result);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve: settle } = Promise.withResolvers<unknown>();
    this.#process.once('exit', settle).kill();
    await promise;
  }
}
