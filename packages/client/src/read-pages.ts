/** A page of a list: `next_cursor` is null on the last one. */
export interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

/** Every row of a list. `read` gets the cursor of each page; undefined for the first. */
export async function* readPages<Row>(read: (cursor?: string) => Promise<Page<Row>>): AsyncGenerator<Row, void> {
  for (let cursor: string | undefined; ; ) {
    const page: Page<Row> = await read(cursor);
    yield* page.data;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}
