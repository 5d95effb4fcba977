import { setImmediate } from 'node:timers/promises';
import { buildUsageSettled, GatewayError, MAX_SHORT_BYTES, RequestTakenOver } from '@gateway/contracts';
import type { RequestDecision } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import { ticketOf } from '../test-support/fakes.js';
import { type Shown, StoredRequest, type StoredRequestPorts } from './stored-request.js';

const settlement = buildUsageSettled(
  { ...ticketOf(), priceVersion: 'm@2026-01-01' },
  { outcome: 'completed', costNanoUsd: 5n, settledAtMs: 1 },
);
const HEAD = { status: 200, headers: { 'content-type': 'text/event-stream', 'x-cost-usd': '1' } };

/** A stream whose readers see what `outcomes` say, write by write; then all of it is shown. */
function streaming(outcomes: readonly Shown[] = []) {
  const left = [...outcomes];
  const steps: string[] = [];
  const shown: string[] = [];
  const decisions: RequestDecision[] = [];
  let wasShown = Promise.withResolvers<void>();
  const run = new StoredRequest(ticketOf(), Buffer.from('{}'), {
    leftMs: 60_000,
    putResponse: async (body) => void steps.push(`put ${body}`),
    end: async (decision) => {
      steps.push('end');
      return decisions.push(decision) > 0;
    },
    handBack: async () => steps.push('hand back') > 0,
    settled: () => void steps.push('settled'),
    onOver: () => steps.push('over'),
    show: async (offset, bytes) => {
      shown.push(`${offset} ${bytes}`);
      wasShown.resolve();
      return left.shift() ?? 'shown';
    },
  });
  run.head(HEAD);
  /** Resolves when the readers were shown something more. */
  const add = async (text: string): Promise<void> => {
    wasShown = Promise.withResolvers();
    run.data(Buffer.from(text));
    await wasShown.promise;
    // The outcome of the write is known.
    await setImmediate();
  };
  return { run, add, steps, shown, decisions };
}

describe('a response', () => {
  const kept = async (length: number, bodyIn?: 'row') => {
    const steps: string[] = [];
    const decisions: RequestDecision[] = [];
    const run = new StoredRequest({ ...ticketOf(), ...(bodyIn && { bodyIn }) }, Buffer.from('{}'), {
      leftMs: 60_000,
      putResponse: async () => void steps.push('put'),
      end: async (decision) => {
        steps.push('end');
        return decisions.push(decision) > 0;
      },
      handBack: async () => false,
      settled: () => {},
      onOver: () => {},
      show: async () => 'shown',
    });
    const body = Buffer.alloc(length, 'a');
    await run.keep({ settlement, whole: { head: { status: 200, headers: {} }, body } });
    return { steps, decision: decisions[0], body };
  };

  it('that is short is stored with the end', async () => {
    const { steps, decision, body } = await kept(MAX_SHORT_BYTES, 'row');
    expect(steps).toEqual(['end']);
    expect(decision).toMatchObject({ shortResponse: body, response: { bytes: MAX_SHORT_BYTES } });
  });

  it.each([
    ['is longer', MAX_SHORT_BYTES + 1, 'row'],
    ['an older edge reads', 10, undefined],
  ] as const)('that %s is in the store before the end', async (_which, length, bodyIn) => {
    const { steps, decision } = await kept(length, bodyIn);
    expect(steps).toEqual(['put', 'end']);
    expect(decision?.shortResponse).toBeUndefined();
    expect(decision?.response).toMatchObject({ bytes: length });
  });
});

it('stores the same response again if the end could not be committed', async () => {
  const bodies: (string | undefined)[] = [];
  const run = new StoredRequest({ ...ticketOf(), bodyIn: 'row' }, Buffer.from('{}'), {
    leftMs: 60_000,
    putResponse: async () => {},
    end: async ({ shortResponse }) => {
      bodies.push(shortResponse?.toString());
      if (bodies.length === 1) throw new GatewayError('service_unavailable', 'PostgreSQL is away.');
      return true;
    },
    handBack: async () => false,
    settled: () => {},
    onOver: () => {},
    show: async () => 'shown',
  });
  run.head(HEAD);
  for (const part of ['a', 'b']) run.data(Buffer.from(part));
  await expect(run.keep({ settlement })).rejects.toMatchObject({ code: 'service_unavailable' });
  await run.keep({ settlement });
  expect(bodies).toEqual(['ab', 'ab']);
});

describe('a stream that waits in the store', () => {
  it('shows its readers each part once, and all of it after a failure', async () => {
    const { add, shown } = streaming(['shown', 'failed']);
    await add('a');
    await add('b');
    await add('c');
    expect(shown).toEqual(['0 a', '1 b', '0 abc']);
  });

  it('that has no room shows no more, is stored whole, and charged once', async () => {
    const { run, add, shown, steps, decisions } = streaming(['shown', 'no_room']);
    await add('a');
    await add('b');
    run.data(Buffer.from('c'));
    await run.keep({ settlement });
    await run.end({ costNanoUsd: '5', balanceNanoUsd: '1' });
    expect(shown).toEqual(['0 a', '1 b']);
    expect(steps).toEqual(['put abc', 'end', 'over', 'settled']);
    expect(decisions).toMatchObject([
      { response: { status: 200, headers: { 'content-type': 'text/event-stream' }, bytes: 3 }, error: null },
    ]);
  });

  it('is not handed back after a loss, once readers have seen it', async () => {
    const failure = new GatewayError('worker_lost', 'The worker stops.').toRecord();
    const seen = streaming();
    await seen.add('a');
    await seen.run.keep({ settlement, failure });
    const unseen = streaming();
    await expect(unseen.run.keep({ settlement, failure })).rejects.toThrow();
    expect([seen.steps, unseen.steps]).toEqual([
      ['put a', 'end'],
      ['hand back', 'over'],
    ]);
  });

  it('is not marked by its worker while its settlement is not confirmed', async () => {
    const { run, steps } = streaming();
    await run.keep({ settlement });
    await run.end({ costNanoUsd: '5' });
    expect(steps).toEqual(['put ', 'end', 'over']);
  });
});

describe('a cancellation', () => {
  it.each([
    ['completes', { isLeft: true, isAborted: false }],
    ['stops', { isLeft: false, isAborted: true }],
    [undefined, { isLeft: false, isAborted: true }],
  ] as const)('of a request whose contract is %s is the leaving of its client', (abortContract, expected) => {
    const run = new StoredRequest({ ...ticketOf(), abortContract }, Buffer.from('{}'), {} as StoredRequestPorts);
    run.cancel();
    run.cancel();
    expect({ isLeft: run.left.aborted, isAborted: run.signal.aborted }).toEqual(expected);
  });
});

describe('a claim', () => {
  const failure = new GatewayError('upstream_error', 'The vendor failed.').toRecord();
  const claimed = (end: StoredRequestPorts['end']) => {
    const steps: string[] = [];
    const run = new StoredRequest(ticketOf(), Buffer.from('{}'), {
      leftMs: 60_000,
      putResponse: async () => {},
      end,
      handBack: async () => false,
      settled: () => {},
      onOver: () => steps.push('over'),
      show: async () => 'shown',
    });
    return { run, steps };
  };
  const isAway = async (): Promise<never> => {
    throw new GatewayError('service_unavailable', 'PostgreSQL is away.');
  };

  it('is renewed until the failure of its request is kept, and no longer', async () => {
    const { run, steps } = claimed(isAway);
    await expect(run.keep({ settlement })).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(steps).toEqual([]);
    await expect(run.keep({ settlement, failure })).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(steps).toEqual(['over']);
  });

  it('is not renewed any more once another worker has its request', async () => {
    const late = claimed(async () => false);
    await expect(late.run.keep({ settlement })).rejects.toThrow(RequestTakenOver);
    const stopped = claimed(isAway);
    stopped.run.stop();
    expect([late.steps, stopped.steps, stopped.run.signal.aborted]).toEqual([['over'], ['over'], true]);
  });
});
