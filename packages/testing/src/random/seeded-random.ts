/** Pseudo-random numbers, equal for equal seeds (mulberry32). */
export interface SeededRandom {
  /** From 0 (included) to 1 (excluded). */
  fraction(): number;
  /** An integer from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  /** True for that share of the calls. */
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** One of the names, in proportion to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
}

export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number): number => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    whole,
    chance: (share) => fraction() < share,
    pick: (items) => items[whole(0, items.length - 1)] as (typeof items)[number],
    weighted: (weights) => {
      const rows = Object.entries(weights) as [keyof typeof weights, number][];
      let rest = fraction() * rows.reduce((sum, [, weight]) => sum + weight, 0);
      const found = rows.find(([, weight]) => {
        rest -= weight;
        return rest < 0;
      });
      return (found ?? rows[rows.length - 1])?.[0] as keyof typeof weights;
    },
  };
}
