/** Runs all items, at most `atOnce` of them at the same time. Results are in the order of the items; the first failure is thrown. */
export async function runAtMost<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Array<Result>(items.length);
  const rest = items.entries();
  const runRest = async (): Promise<void> => {
    for (const [place, item] of rest) results[place] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, runRest));
  return results;
}
