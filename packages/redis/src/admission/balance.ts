/** Sums the parts that `scripts/shared/balance.lua` gives. In nano-USD, including holds; null if Redis does not know it. */
export const readBalance = (parts: string): bigint | null =>
  parts === '' ? null : parts.split(' ').reduce((sum, part) => sum + BigInt(part), 0n);
