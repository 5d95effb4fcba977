import { type Readable, Transform } from 'node:stream';

/**
 * Passes a body on and reports each chunk before it is passed. A rejection of `onBytes` ends the returned stream with its
 * error, and leaves `body` open: the response goes out on the same socket.
 */
export function countBytes(body: Readable, onBytes: (bytes: number) => void | Promise<void>): Readable {
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        const counting = onBytes(chunk.length);
        if (counting === undefined) done(null, chunk);
        else counting.then(() => done(null, chunk), done);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  body.once('error', (error) => counted.destroy(error));
  counted.once('error', () => body.unpipe(counted));
  return body.pipe(counted);
}
