import { serveSessions } from '../../dist/index.js';

/** A session counts what it is given. A thread runs JavaScript, so it imports the compiled package. */
serveSessions((start) => {
  if (start === 'refused') {
    throw Object.assign(new Error('wrong'), {
      code: 'invalid_request',
      toRecord: () => ({ code: 'invalid_request', message: 'wrong', param: 'a' }),
    });
  }
  let count = start;
  const kept = new Uint8Array(2_000_000);
  return {
    output: `from ${start}`,
    handlers: {
      add: (more) => {
        count += more;
        return count;
      },
      bytes: ({ bytes }) => ({ bytes, length: bytes.length }),
      keep: () => ({ kept }),
      fault: () => {
        throw new Error('a fault');
      },
      unclonable: () => ({ run: () => undefined }),
      exit: () => process.exit(1),
      exitSoon: () => {
        setImmediate(() => process.exit(1));
      },
    },
  };
});
