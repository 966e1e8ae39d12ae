import type { RawResponse } from '../../test/support/http/send-bytes.ts';
import { createdId, type Pair } from './history.ts';

/** Headers that differ between two answers of one version. */
const volatileHeaders = ['date', 'x-amzn-requestid'];

/** What two versions may call by other names: their keys and ports, cursors, and the ids of the same pet. */
export class Names {
  readonly #secrets: readonly string[];
  readonly #haveSameIds: boolean;
  /** By the id of the head, that of the base. */
  readonly #ids = new Map<string, string>();

  /** On one table, both versions must give a pet the same id. */
  constructor(apiKeys: readonly string[], { haveSameIds = false } = {}) {
    this.#secrets = apiKeys;
    this.#haveSameIds = haveSameIds;
  }

  /** Returns both answers without what may differ. Answers to the same create say that their ids belong together. */
  normalize([base, head]: Pair<RawResponse>): Pair<RawResponse> {
    const [baseId, headId] = [createdId(base), createdId(head)];
    if (!this.#haveSameIds && baseId !== undefined && headId !== undefined) this.#ids.set(headId, baseId);
    return [
      this.#answer(base, (text) => text),
      this.#answer(head, (text) => text.replaceAll(anyId, (id) => this.#ids.get(id) ?? id)),
    ];
  }

  #answer({ status, headers, body }: RawResponse, rename: (text: string) => string): RawResponse {
    const kept = Object.entries(headers).filter(([name]) => !volatileHeaders.includes(name));
    const shown = kept.map(([name, value]) => {
      // Follows from the body, in which ids may have other lengths.
      if (name === 'content-length' && Number(value) === body.length) return [name, '<length of the body>'];
      return [name, rename(this.#text(value))];
    });
    return { status, headers: Object.fromEntries(shown), body: rename(this.#text(body)) };
  }

  #text(text: string): string {
    const withoutKeys = this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, '<API key>'), text);
    return withoutKeys.replaceAll(cursor, '<cursor>').replaceAll(port, '<port>');
  }
}

const anyId = /(?<="id":|\/pets\/)\d+/g;
const cursor = /(?<=[?&]cursor=)[\w%-]+/g;
const port = /(?<=\/\/127\.0\.0\.1:)\d+/g;
