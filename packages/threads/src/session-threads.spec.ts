import { afterAll, describe, expect, it } from '@jest/globals';
import { SessionThreads } from './session-threads.js';

const faults: unknown[] = [];
const OPTIONS = { file: new URL('./test-support/sessions.mjs', import.meta.url), maxThreads: 2 };
let onReport = (): void => undefined;
const threads = new SessionThreads({
  ...OPTIONS,
  onFault: (error) => {
    faults.push(error);
    onReport();
  },
});
afterAll(() => threads.close());

/** Resolves once as many faults have been reported. */
async function reported(count: number): Promise<void> {
  while (faults.length < count) {
    await new Promise<void>((resolve) => {
      onReport = resolve;
    });
  }
}

const UNAVAILABLE = { code: 'service_unavailable', details: { retryAfterMs: 1_000 } };

describe('a session', () => {
  it('keeps its state apart from other sessions', async () => {
    const [one, other] = await Promise.all([threads.open<string>(1), threads.open<string>(100)]);
    expect([one.output, other.output]).toEqual(['from 1', 'from 100']);
    expect(await one.session.call('add', 1)).toBe(2);
    expect(await other.session.call('add', 1)).toBe(101);
    expect(await one.session.call('add', 1)).toBe(3);
    for (const { session } of [one, other]) session.close();
  });

  it('moves bytes both ways', async () => {
    const { session } = await threads.open(0);
    const bytes = new Uint8Array(2_000_000).fill(7);
    const returned = await session.call<{ bytes: Uint8Array; length: number }>('bytes', { bytes }, [bytes.buffer]);
    expect([returned.length, returned.bytes.length, returned.bytes[9], bytes.length]).toEqual([
      2_000_000, 2_000_000, 7, 0,
    ]);
    session.close();
  });

  it('may go on with bytes that it has returned', async () => {
    const { session } = await threads.open(0);
    const lengths = async () => (await session.call<{ kept: Uint8Array }>('keep', undefined)).kept.length;
    expect([await lengths(), await lengths()]).toEqual([2_000_000, 2_000_000]);
    session.close();
  });

  it('passes on the error of a refused beginning', async () => {
    await expect(threads.open('refused')).rejects.toMatchObject({ code: 'invalid_request', details: { param: 'a' } });
  });

  it.each(['fault', 'unclonable'])('whose handler fails goes on, and its fault is reported: %s', async (name) => {
    const { session } = await threads.open(5);
    const before = faults.length;
    await expect(session.call(name, undefined)).rejects.not.toHaveProperty('code', UNAVAILABLE.code);
    expect(faults).toHaveLength(before + 1);
    expect(await session.call('add', 1)).toBe(6);
    session.close();
  });

  it('fails with its thread, and the next one has a new thread', async () => {
    const { session } = await threads.open(5);
    await expect(session.call('exit', undefined)).rejects.toMatchObject(UNAVAILABLE);
    await expect(session.call('add', 1)).rejects.toMatchObject(UNAVAILABLE);
    session.close();
    const next = await threads.open(7);
    expect(await next.session.call('add', 1)).toBe(8);
    next.session.close();
  });

  it('whose thread ends between two calls fails with the next one, and the fault is reported once', async () => {
    const { session } = await threads.open(5);
    const before = faults.length;
    await session.call('exitSoon', undefined);
    await reported(before + 1);
    await expect(session.call('add', 1)).rejects.toMatchObject(UNAVAILABLE);
    expect(faults).toHaveLength(before + 1);
    session.close();
  });

  it('that is ended on purpose reports no fault', async () => {
    const own: unknown[] = [];
    const ending = new SessionThreads({ ...OPTIONS, onFault: (error) => own.push(error) });
    const { session } = await ending.open(5);
    await ending.close();
    await expect(session.call('add', 1)).rejects.toMatchObject(UNAVAILABLE);
    expect(own).toEqual([]);
  });
});
