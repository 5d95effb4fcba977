/** Limits an `LRUCache` to `entries`. With `max` it allocates room for all of them at once: a megabyte for 50,000. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
