import { describe, expect, it } from '@jest/globals';
import { BookedInbox } from './booked-inbox.js';

const HOUR_MS = 3_600_000;
const never = () => new AbortController().signal;

describe('BookedInbox', () => {
  it('gives each id once', () => {
    const inbox = new BookedInbox();
    inbox.add(['a', 'b']);
    inbox.add(['b']);
    expect(inbox.take()).toEqual({ requestIds: ['a', 'b'], hasGap: false });
    expect(inbox.take()).toEqual({ requestIds: [], hasGap: false });
  });

  it('drops the ids of a slow reader and says so', () => {
    const inbox = new BookedInbox();
    inbox.add(Array.from({ length: 501 }, (_, index) => `req_${index}`));
    inbox.add(['later']);
    expect(inbox.take()).toEqual({ requestIds: ['later'], hasGap: true });
  });

  it('wakes its reader for an id, a gap and an abort, also if they came before', async () => {
    const inbox = new BookedInbox();
    const waiting = inbox.filled(HOUR_MS, never());
    inbox.add(['a']);
    await waiting;
    await inbox.filled(HOUR_MS, never());
    inbox.take();
    inbox.add(null);
    await inbox.filled(HOUR_MS, never());
    inbox.take();
    const abort = new AbortController();
    const aborted = inbox.filled(HOUR_MS, abort.signal);
    abort.abort();
    await aborted;
    await inbox.filled(0, never());
  });
});
