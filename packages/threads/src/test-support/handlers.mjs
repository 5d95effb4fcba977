import { inThread } from '../../dist/index.js';

/** Handlers of the spec. A thread runs JavaScript, so they import the compiled package. */
export const echo = inThread(
  ({ bytes }) => ({ first: bytes[0], bytes }),
  ({ bytes }) => [bytes.buffer],
);

export const refuse = inThread(() => {
  throw Object.assign(new Error('wrong'), {
    code: 'invalid_request',
    toRecord: () => ({ code: 'invalid_request', message: 'wrong', param: 'a' }),
  });
});

export const fail = inThread(() => {
  throw new Error('a fault');
});

export const exit = () => process.exit(1);
