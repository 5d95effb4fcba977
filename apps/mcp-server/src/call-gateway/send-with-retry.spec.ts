import { HttpFailure, type HttpFailureKind, type HttpResponse } from '@gateway/http';
import { describe, expect, it } from '@jest/globals';
import { sendWhileSafe } from './send-while-safe.js';

const ANSWER = { status: 200 } as HttpResponse;

const failure = (kind: HttpFailureKind, isTimeout = false) =>
  new HttpFailure(kind, { wasSent: kind !== 'connect', isTimeout, code: 'X' });

/** Fails so often, each time in the same way; then there is an answer. */
async function sent(thrown: Error, times: number, onlyReads: boolean) {
  let count = 0;
  const send = async (): Promise<HttpResponse> => {
    count += 1;
    if (count <= times) throw thrown;
    return ANSWER;
  };
  const outcome = await sendWhileSafe(send, onlyReads).catch((error: unknown) => error);
  return { count, outcome };
}

describe('a request whose connection fails', () => {
  it.each([true, false])(
    'is sent again where nothing of it had left, whether it only reads (%s)',
    async (onlyReads) => {
      expect(await sent(failure('connect'), 2, onlyReads)).toEqual({ count: 3, outcome: ANSWER });
    },
  );

  it('after it was sent is sent again if it only reads, and else never', async () => {
    const broken = failure('ambiguous');
    expect(await sent(broken, 1, true)).toEqual({ count: 2, outcome: ANSWER });
    expect(await sent(broken, 1, false)).toEqual({ count: 1, outcome: broken });
  });

  it('time after time is told as it failed last', async () => {
    const refused = failure('connect');
    expect(await sent(refused, 9, false)).toEqual({ count: 3, outcome: refused });
  });

  it.each([failure('aborted'), failure('too_large'), failure('ambiguous', true), new TypeError('a fault of ours')])(
    'by %s is not sent again',
    async (thrown) => {
      expect(await sent(thrown, 1, true)).toEqual({ count: 1, outcome: thrown });
    },
  );
});
