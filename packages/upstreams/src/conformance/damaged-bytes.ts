import fc from 'fast-check';

/** One of the known responses, with up to 40 bytes replaced by up to 12 random ones. */
export const damagedBytes = (known: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(fc.constantFrom(...known), fc.nat(), fc.nat(40), fc.uint8Array({ maxLength: 12 }))
    .map(([bytes, at, removed, put]) => {
      const start = at % bytes.length;
      return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + removed)]);
    });
