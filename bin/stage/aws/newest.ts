/** What AWS lists, the newest first, as far back as was asked for or read. */
export interface Newest<Item> {
  readonly items: readonly Item[];
  /** Nothing is missing since then. */
  readonly since: Date;
}

const mostPages = 10;

/** Reads pages as far back as a time, but not more than ten: then what is older than their last item is unknown. */
export async function readNewest<Page, Item>(
  pages: AsyncIterable<Page>,
  itemsOf: (page: Page) => readonly Item[] | undefined,
  timeOf: (item: Item) => Date | undefined,
  from: Date,
  pause = async () => {},
): Promise<Newest<Item>> {
  const items: Item[] = [];
  let read = 0;
  for await (const page of pages) {
    items.push(...(itemsOf(page) ?? []));
    read += 1;
    const last = items.at(-1);
    const oldest = last && timeOf(last);
    if (oldest && oldest < from) break;
    if (read === mostPages) return { items, since: oldest ?? from };
    await pause();
  }
  return { items: items.filter((item) => Number(timeOf(item)) >= from.getTime()), since: from };
}
