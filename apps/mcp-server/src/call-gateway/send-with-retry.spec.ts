import { HttpFailure, type HttpFailureKind, type HttpResponse } from '@gateway/http';
import { describe, expect, it } from '@jest/globals';
import { sendWithRetry } from './send-with-retry.js';

const RESPONSE = { status: 200 } as HttpResponse;

const failure = (kind: HttpFailureKind, isTimeout = false) =>
  new HttpFailure(kind, { wasSent: kind !== 'connect', isTimeout, code: 'X' });

/** Throws `thrown` for the first `times` attempts, then succeeds. */
async function attempts(thrown: Error, times: number, isReadOnly: boolean) {
  let count = 0;
  const send = async (): Promise<HttpResponse> => {
    count += 1;
    if (count <= times) throw thrown;
    return RESPONSE;
  };
  const outcome = await sendWithRetry(send, isReadOnly).catch((error: unknown) => error);
  return { count, outcome };
}

describe('sendWithRetry', () => {
  it.each([true, false])('retries a request that never left this process (read-only: %s)', async (isReadOnly) => {
    expect(await attempts(failure('connect'), 2, isReadOnly)).toEqual({ count: 3, outcome: RESPONSE });
  });

  it('retries a request that may have arrived only if it is read-only', async () => {
    const broken = failure('ambiguous');
    expect(await attempts(broken, 1, true)).toEqual({ count: 2, outcome: RESPONSE });
    expect(await attempts(broken, 1, false)).toEqual({ count: 1, outcome: broken });
  });

  it('rejects with the last error after two retries', async () => {
    const refused = failure('connect');
    expect(await attempts(refused, 9, false)).toEqual({ count: 3, outcome: refused });
  });

  it.each([failure('aborted'), failure('too_large'), failure('ambiguous', true), new TypeError('a bug')])(
    'does not retry after %s',
    async (thrown) => {
      expect(await attempts(thrown, 1, true)).toEqual({ count: 1, outcome: thrown });
    },
  );
});
