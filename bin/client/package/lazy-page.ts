/** A page that is requested once, when it is first awaited or iterated over. */
export class LazyPage<TPage extends AsyncIterable<TItem>, TItem>
  implements Promise<TPage>, AsyncIterable<TItem>
{
  readonly [Symbol.toStringTag] = 'Promise';
  readonly #request: () => Promise<TPage>;
  #page: Promise<TPage> | undefined;

  constructor(request: () => Promise<TPage>) {
    this.#request = request;
  }

  // biome-ignore lint/suspicious/noThenProperty: to await it sends the request.
  then: Promise<TPage>['then'] = (onFulfilled, onRejected) => this.#sent().then(onFulfilled, onRejected);

  catch: Promise<TPage>['catch'] = (onRejected) => this.#sent().catch(onRejected);

  finally: Promise<TPage>['finally'] = (onFinally) => this.#sent().finally(onFinally);

  async *[Symbol.asyncIterator](): AsyncGenerator<TItem> {
    yield* await this.#sent();
  }

  #sent(): Promise<TPage> {
    this.#page ??= this.#request();
    return this.#page;
  }
}
