import type { HttpRequest } from '../../test/support/http/http-request.ts';
import type { RawResponse } from '../../test/support/http/send-bytes.ts';

/** What differs between the requests to the base and to the head: each gets its own ids and cursors. */
export type Side = 0 | 1;

export type Pair<T> = readonly [T, T];

/** A create that both versions have accepted. */
export interface Creation {
  readonly content: string;
  /** Undefined if the client sent no key. */
  readonly key: string | undefined;
  readonly ids: Pair<string>;
}

/** What both versions have answered so far, to which later requests refer. */
export class History {
  readonly creations: Creation[] = [];
  /** The targets of links to next pages, such as `/v1/pets?limit=5&cursor=…`. */
  readonly nextPages: Pair<string>[] = [];

  /** Remembers what later requests can refer to. */
  add({ requestLine, headers, content = '' }: HttpRequest, answers: Pair<RawResponse>): void {
    const [base, head] = answers;
    const ids: Pair<string | undefined> = [createdId(base), createdId(head)];
    if (requestLine.startsWith('POST ') && ids[0] !== undefined && ids[1] !== undefined) {
      const keys = headers.filter((line) => line.startsWith(keyHeader));
      this.creations.push({ content, key: keys[0]?.slice(keyHeader.length), ids: [ids[0], ids[1]] });
    }
    const pages: Pair<string | undefined> = [nextPage(base), nextPage(head)];
    // The pages after pages of another length differ too, which would say nothing new.
    if (itemCount(base) !== itemCount(head)) return;
    if (pages[0] !== undefined && pages[1] !== undefined) this.nextPages.push([pages[0], pages[1]]);
  }
}

export const keyHeader = 'Idempotency-Key: ';

/** Returns the id of the pet that an answer says was created, if it says so. */
export const createdId = ({ status, headers }: RawResponse): string | undefined =>
  status === 201 ? /\/(\d+)$/.exec(headers['location'] ?? '')?.[1] : undefined;

/** Returns the target of an answer's link to the next page, if it has one. */
export const nextPage = ({ headers }: RawResponse): string | undefined =>
  /<https?:\/\/[^/]+(\/[^>]*)>; rel="next"/.exec(headers['link'] ?? '')?.[1];

const itemCount = ({ body }: RawResponse) => body.split('"id":').length;
