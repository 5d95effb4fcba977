/** Sums the parts that `scripts/shared/balance.lua` returns. In nano-USD, including holds; null if Redis lacks a part. */
export const readBalance = (parts: string): bigint | null =>
  parts === '' ? null : parts.split(' ').reduce((sum, part) => sum + BigInt(part), 0n);
