import { describe, expect, it } from '@jest/globals';
import { credentialLabel, Journal } from './journal.js';

const FACTS = { vendor: 'openai', protocol: 'openai-chat', method: 'POST', path: '/x', credential: 'k' };
const DONE = { status: 200, isClientAbort: false, usage: null, billed: null };

describe('Journal', () => {
  it('returns entries after a number, oldest first, and drops the oldest', () => {
    const journal = new Journal(3);
    for (let call = 0; call < 5; call += 1) journal.open(FACTS).close(DONE);
    expect(journal.since(0).map((line) => line.seq)).toEqual([3, 4, 5]);
    expect(journal.since(4).map((line) => line.seq)).toEqual([5]);
    expect(journal.since(99)).toEqual([]);
  });

  it('stores the first outcome only', () => {
    const journal = new Journal();
    const entry = journal.open(FACTS);
    expect(journal.since(0)[0]).toMatchObject({ finished_at: null, status: null, billed: null });
    entry.close(DONE);
    entry.close({ ...DONE, status: 500 });
    expect(journal.since(0)[0]).toMatchObject({ status: 200, finished_at: expect.any(String) });
  });

  it('shows the tag of a prompt', () => {
    const journal = new Journal();
    journal.open(FACTS).tag = 'mine';
    journal.open(FACTS);
    expect(journal.since(0).map((line) => line.tag)).toEqual(['mine', undefined]);
  });

  it('is idle when the last call ends', async () => {
    const journal = new Journal();
    const entries = [journal.open(FACTS), journal.open(FACTS)];
    const idle = journal.untilIdle(60_000);
    for (const entry of entries) entry.close(DONE);
    await expect(idle).resolves.toBeUndefined();
  });
});

describe('credentialLabel', () => {
  it('shows a label and hides a key', () => {
    expect(credentialLabel('channel-a')).toBe('channel-a');
    expect(credentialLabel('sk-0123456789abcd')).toBe('****abcd');
    expect(credentialLabel(undefined)).toBeNull();
  });
});
