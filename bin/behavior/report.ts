import { type HttpRequest, toBytes } from '../../test/support/http/http-request.ts';
import type { RawResponse } from '../../test/support/http/send-bytes.ts';
import { printable } from '../cli/printable.ts';
import { compareAnswers, type Difference } from './compare-answers.ts';
import type { Pair } from './history.ts';

/** A request that two versions answered, and on which tables. */
export interface Exchange {
  readonly tables: string;
  readonly request: HttpRequest;
  /** Without what may differ. */
  readonly answers: Pair<RawResponse>;
}

interface Example {
  readonly exchange: Exchange;
  readonly difference: Difference;
}

/** The longest text of a request or a body that is printed, and how much of it precedes the first difference. */
const maxLength = 400;
const lead = 80;

/** Collects what two versions answer, and describes the differences by kind. */
export class Report {
  readonly #kinds = new Map<string, Example[]>();
  /** How many requests both versions got. */
  requestCount = 0;
  /** How many of them they answered differently. */
  differentCount = 0;

  add(exchange: Exchange): void {
    this.requestCount += 1;
    const differences = compareAnswers(exchange.request, exchange.answers);
    if (differences.length > 0) this.differentCount += 1;
    for (const difference of differences) {
      const kind = `${exchange.tables}\n${difference.kind}`;
      const examples = this.#kinds.get(kind) ?? [];
      this.#kinds.set(kind, [...examples, { exchange, difference }]);
    }
  }

  /** Returns the report: by kind, the shortest requests with the answers of both versions. */
  text(names: Pair<string>, examplesPerKind: number): string {
    const kinds = [...this.#kinds.values()].map((examples) => examples.toSorted(byLength));
    kinds.sort(([first], [second]) => (first && second ? byLength(first, second) : 0));
    const [base, head] = names;
    const summary =
      kinds.length === 0
        ? `${base} and ${head} answer all ${this.requestCount} requests alike.`
        : `${base} and ${head} answer ${this.differentCount} of ${this.requestCount} requests differently, in ${kinds.length} ${kinds.length === 1 ? 'way' : 'ways'}.`;
    const sections = kinds.map((examples, index) => {
      const [first] = examples;
      const title = `${index + 1}. ${first?.difference.title} (${examples.length} ${examples.length === 1 ? 'request' : 'requests'}${first?.exchange.tables})`;
      const shown = examples.slice(0, examplesPerKind).map((example) => exampleText(example, names));
      return [title, ...shown].join('\n\n');
    });
    return printable(`${[summary, ...sections].join('\n\n')}\n`);
  }
}

const textOf = ({ request }: Exchange) =>
  toBytes([request], '<API key>')
    .replaceAll('\r\n', '\n')
    .replace('Host: 127.0.0.1\n', '')
    .replace('Authorization: Bearer <API key>\n', '')
    .replace('Connection: close\n', '')
    .replace(/Content-Length: \d+\n/, '')
    .replace(' HTTP/1.1\n', '\n')
    .trimEnd();

const byLength = (one: Example, other: Example) =>
  textOf(one.exchange).length - textOf(other.exchange).length;

function exampleText({ exchange, difference }: Example, [base, head]: Pair<string>): string {
  const [before, after] = exchange.answers;
  const start = Math.max(0, firstDifference(before.body, after.body) - lead);
  const answer = (name: string, { status, headers, body }: RawResponse) => {
    const { header } = difference;
    const line = header === undefined ? '' : `\n${header}: ${headers[header] ?? '(none)'}`;
    return `${name}: ${status}${line}\n${excerpt(body, start)}`.trimEnd();
  };
  const parts = [excerpt(textOf(exchange), 0), answer(base, before), answer(head, after)];
  return indent(Buffer.from(parts.join('\n\n'), 'latin1').toString());
}

function firstDifference(one: string, other: string): number {
  const index = [...one].findIndex((character, place) => character !== other[place]);
  return index === -1 ? 0 : index;
}

/** Returns part of a text, and says how long the whole is. */
function excerpt(text: string, start: number): string {
  const end = start + maxLength;
  const before = start > 0 ? '...' : '';
  const after = text.length > end ? `... (${text.length} bytes)` : '';
  return before + text.slice(start, end) + after;
}

const indent = (text: string) => text.replaceAll(/^(?=.)/gm, '   ');
