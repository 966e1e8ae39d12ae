import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { parseJson } from '../../shared/contract/json.ts';
import { operations } from '../../shared/service.ts';
import type { HttpRequest } from '../../test/support/http/http-request.ts';
import type { RawResponse } from '../../test/support/http/send-bytes.ts';
import type { Pair } from './history.ts';

/** One way in which two answers differ. */
export interface Difference {
  /** What a reader sees, such as `GET /pets, 400 invalid_query: body.message`. */
  readonly title: string;
  /** Differences with the same kind are shown together. */
  readonly kind: string;
  /** The lower-case name, if a header differs. */
  readonly header?: string;
}

const ErrorBody = v.object({ code: v.string(), message: v.string() });

/** Returns the ways in which the normalized answers of two versions to a request differ. */
export function compareAnswers(request: HttpRequest, [base, head]: Pair<RawResponse>): Difference[] {
  const operation = operationOf(request);
  const outcomes = [outcomeOf(base), outcomeOf(head)];
  if (outcomes[0] !== outcomes[1]) {
    const title = `${operation}: ${outcomes.join(' became ')}`;
    return [{ title, kind: title }];
  }
  const answer = `${operation}, ${outcomes[0]}`;
  return [...headerDifferences(base, head), ...bodyDifferences(answer, base.body, head.body)];
}

/** Returns the method with the path of the operation, or a coarser description of the path. */
function operationOf({ requestLine }: HttpRequest): string {
  const [method = '', target = ''] = requestLine.split(' ');
  const path = target.replace(/^\/v1/, '').replace(/\?.*/, '').replace(/\/$/, '');
  const known = Object.values(operations).find((operation) =>
    new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return `${method} ${known?.path ?? 'another path'}`;
}

/** Returns the status, with the code of an error. */
function outcomeOf({ status, body }: RawResponse): string {
  if (status === 0) return 'no answer';
  const error = v.safeParse(ErrorBody, parsed(body));
  return error.success ? `${status} ${error.output.code}` : `${status}`;
}

function headerDifferences(base: RawResponse, head: RawResponse): Difference[] {
  const names = [...new Set([...Object.keys(base.headers), ...Object.keys(head.headers)])];
  return names.flatMap((header) => {
    const [before, after] = [base.headers[header], head.headers[header]];
    if (before === after) return [];
    const verb = before === undefined ? 'was added' : after === undefined ? 'was removed' : 'changed';
    const title = `header ${header} ${verb}`;
    return [{ title, kind: title, header }];
  });
}

function bodyDifferences(answer: string, base: string, head: string): Difference[] {
  if (base === head) return [];
  const changes = [...valueChanges('body', parsed(base), parsed(head))];
  const found = changes.length > 0 ? changes : [{ text: 'body is written in another way' }];
  const differences = found.map(({ text, detail = '' }) => {
    const title = `${answer}: ${text}`;
    return { title, kind: title + detail };
  });
  return [...new Map(differences.map((difference) => [difference.kind, difference])).values()];
}

interface Change {
  readonly text: string;
  /** Tells changes apart that have the same text. */
  readonly detail?: string;
}

function* valueChanges(path: string, base: unknown, head: unknown): Generator<Change> {
  if (isDeepStrictEqual(base, head)) return;
  if (Array.isArray(base) && Array.isArray(head) && isDeepStrictEqual(base.map(idOf), head.map(idOf))) {
    for (const [index, value] of base.entries()) yield* valueChanges(`${path}[]`, value, head[index]);
  } else if (isObject(base) && isObject(head)) {
    for (const name of new Set([...Object.keys(base), ...Object.keys(head)])) {
      yield* valueChanges(`${path}.${name}`, base[name], head[name]);
    }
  } else yield changeOf(path, base, head);
}

function changeOf(path: string, base: unknown, head: unknown): Change {
  if (base === undefined) return { text: `${path} was added` };
  if (head === undefined) return { text: `${path} was removed` };
  if (Array.isArray(base) && Array.isArray(head)) {
    return { text: `${path} has ${base.length === head.length ? 'other items' : 'another number of items'}` };
  }
  if (path !== 'body.message') return { text: `${path} changed` };
  // Two messages that change are two changes, unless only the numbers in them differ.
  return { text: `${path} changed`, detail: `${base} → ${head}`.replaceAll(/\d+/g, '0') };
}

const idOf = (item: unknown) => (isObject(item) ? item['id'] : undefined);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value of a body, or its text if it is not JSON. */
function parsed(body: string): unknown {
  const text = Buffer.from(body, 'latin1').toString();
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
