import type { Pet } from './pet.ts';

/** What a page is made of; `next` reads the page after it, if there is one. */
interface PageParts {
  readonly pets: readonly Pet[];
  readonly nextCursor: string | undefined;
  readonly requestId: string | undefined;
  readonly next: () => Promise<PetPage> | undefined;
}

/** A page of pets. Iterating over it yields its pets, then those of the pages that follow, fetched lazily. */
export class PetPage implements AsyncIterable<Pet> {
  readonly pets: readonly Pet[];
  /** Where the next page starts, to store and to pass to `listPets`; undefined on the last page. */
  readonly nextCursor: string | undefined;
  /** The `x-amzn-RequestId` of the response, to quote to the operator. */
  readonly requestId: string | undefined;
  readonly #next: PageParts['next'];

  constructor({ pets, nextCursor, requestId, next }: PageParts) {
    this.pets = pets;
    this.nextCursor = nextCursor;
    this.requestId = requestId;
    this.#next = next;
  }

  /** Reads the next page, with the same options; the last page has none. */
  async nextPage(): Promise<PetPage | undefined> {
    return this.#next();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Pet, void, undefined> {
    yield* this.pets;
    for (let page = await this.nextPage(); page; page = await page.nextPage()) yield* page.pets;
  }
}
