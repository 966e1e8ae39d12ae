import fc from 'fast-check';
import { get, type HttpRequest } from '../../test/support/http/http-request.ts';
import type { RawResponse } from '../../test/support/http/send-bytes.ts';
import { createdId, History, nextPage, type Pair, type Side } from './history.ts';
import { Names } from './normalize.ts';
import { post } from './odd-requests.ts';
import { Report } from './report.ts';
import { rewritten, stepsOf, validPet } from './requests.ts';
import type { Service } from './services/service.ts';
import type { Items } from './services/tables.ts';

interface Options {
  readonly seed: number;
  /** How many requests to generate. Those on one table come on top. */
  readonly requests: number;
}

/** How many creates have no `Idempotency-Key`. */
const keylessCreates = 30;

/** What is read on one table: lists, pages of each, and creations. */
const lists = ['', '?limit=7', '?status=available', '?status=sold&limit=1', '?limit=100&status=pending'];
const maxPages = 10;
const maxCreations = 120;

/** Sends two versions of the service the same requests, and returns how their answers differ. */
export async function compareServices(services: Pair<Service>, options: Options): Promise<Report> {
  const comparison = new Comparison(services);
  await comparison.onOwnTables(options);
  const written = [await services[0].tables.read(), await services[1].tables.read()] as const;
  for (const writer of [0, 1] as const) await comparison.onOneTable(writer, written[writer]);
  return comparison.report;
}

class Comparison {
  readonly report = new Report();
  readonly #history = new History();
  readonly #services: Pair<Service>;
  #names: Names;

  constructor(services: Pair<Service>) {
    this.#services = services;
    this.#names = new Names(services.map(({ apiKey }) => apiKey));
  }

  /** Compares the generated requests, in the same order, on tables that each version has written itself. */
  async onOwnTables({ seed, requests }: Options): Promise<void> {
    for (const next of stepsOf(seed, requests)) {
      const [forBase, forHead] = [next(this.#history, 0), next(this.#history, 1)];
      for (const [index, request] of forBase.entries())
        await this.#onOwn([request, forHead[index] ?? request]);
      if (this.report.requestCount >= requests) break;
    }
    // Last, because their ids are random, and so is their order in lists.
    for (const content of fc.sample(validPet, { seed, numRuns: keylessCreates })) {
      await this.#onOwn([post(content), post(content)]);
      const { ids = ['', ''] } = this.#history.creations.at(-1) ?? {};
      await this.#onOwn([get(`/v1/pets/${ids[0]}`), get(`/v1/pets/${ids[1]}`)]);
    }
  }

  /** Compares how both versions read what one of them has written, as in a canary or after a rollback. */
  async onOneTable(writer: Side, written: Items): Promise<void> {
    const apiKeys = this.#services.map(({ apiKey }) => apiKey);
    this.#names = new Names(apiKeys, { haveSameIds: true });
    const { name, apiKey } = this.#services[writer];
    for (const { tables } of this.#services) await tables.replace(written);
    const send = (request: HttpRequest) =>
      this.#exchange([request, request], `, reading what ${name} wrote`, apiKey);

    for (const query of lists) {
      // Each continues at the cursors of the base, and then at those of the head.
      for (const side of [0, 1] as const) {
        let target: string | undefined = `/v1/pets${query}`;
        for (let page = 0; target !== undefined && page < maxPages; page += 1) {
          const answers: Pair<RawResponse> = await send(get(target));
          target = nextPage(answers[side]);
        }
      }
    }
    for (const { content, key, ids } of this.#history.creations.slice(-maxCreations)) {
      await send(get(`/v1/pets/${ids[writer]}`));
      if (key === undefined) continue;
      await send(post(content, key));
      await send(post(rewritten(content), key));
      await send(post('{"name":"Another body","categoryId":1}', key));
    }
  }

  async #onOwn(sent: Pair<HttpRequest>): Promise<void> {
    const answers = await this.#exchange(sent);
    this.#history.add(sent[0], answers);
    // A pet that only one of them has would make later lists differ too.
    const [baseId, headId] = [newId(answers[0]), newId(answers[1])];
    const [base, head] = this.#services;
    if (baseId !== undefined && headId === undefined) await base.tables.removeId(baseId);
    if (headId !== undefined && baseId === undefined) await head.tables.removeId(headId);
  }

  /** Sends each version its request, and reports the answers. */
  async #exchange(
    [toBase, toHead]: Pair<HttpRequest>,
    tables = '',
    key?: string,
  ): Promise<Pair<RawResponse>> {
    const [base, head] = this.#services;
    const answers: Pair<RawResponse> = await Promise.all([base.send(toBase, key), head.send(toHead, key)]);
    this.report.add({ tables, request: toBase, answers: this.#names.normalize(answers) });
    return answers;
  }
}

/** Returns the id of the pet that an answer says is new, rather than created by an earlier request. */
const newId = (answer: RawResponse) =>
  answer.headers['idempotency-replayed'] === undefined ? createdId(answer) : undefined;
