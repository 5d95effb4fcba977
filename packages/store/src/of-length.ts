import { pipeline, type Readable, Transform } from 'node:stream';
import { ObjectDamaged } from './failures.js';

/** The stream, which fails with ObjectDamaged where it has more or fewer bytes. */
export function ofLength(key: string, source: Readable, bytes: number): Readable {
  let left = bytes;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(new ObjectDamaged(key));
      else done(null, chunk);
    },
    flush: (done) => done(left === 0 ? null : new ObjectDamaged(key)),
  });
  // Its reader gets the error; each side closes the other.
  pipeline(source, counted, () => undefined);
  return counted;
}
