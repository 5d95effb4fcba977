/**
 * Does the work for each item, also after one has failed: one account or task must not stop the others. Then it rejects with
 * the first error, if there was one.
 */
export async function attemptEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
