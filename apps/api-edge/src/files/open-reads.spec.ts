import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { OpenReads } from './open-reads.service.js';

const LIMIT = 100;

/** The connection of a reader. */
class Raw extends EventEmitter {
  destroyed = false;
  timeoutMs: number | undefined;
  #onTimeout: (() => void) | undefined;

  setTimeout(milliseconds: number, onTimeout: () => void): void {
    this.timeoutMs = milliseconds;
    this.#onTimeout = onTimeout;
  }

  stall(): void {
    this.#onTimeout?.();
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const opened = () => {
  const reads = new OpenReads({ responseLimits: { slowClientTimeoutMs: 60_000 } } as ConstructorParameters<
    typeof OpenReads
  >[0]);
  const begin = (accountId: string): Raw => {
    const raw = new Raw();
    reads.begin({ raw } as unknown as FastifyReply, accountId);
    return raw;
  };
  return { reads, begin };
};

describe('the readers of an account', () => {
  it('have a limit, which leaves other accounts alone and returns with each of them', () => {
    const { begin } = opened();
    const all = Array.from({ length: LIMIT }, () => begin('acct_a'));
    expect(() => begin('acct_a')).toThrow(`already reads ${LIMIT}`);
    begin('acct_b');
    all[0]?.destroy();
    begin('acct_a');
    expect(() => begin('acct_a')).toThrow(`already reads ${LIMIT}`);
  });

  it('share a limit of the process with those of all others', () => {
    const { begin } = opened();
    for (let count = 0; count < 2_000; count += 1) begin(`acct_${count % 50}`);
    expect(() => begin('acct_new')).toThrow('Too many clients');
  });

  it('are cut off if they take nothing for a minute', () => {
    const raw = opened().begin('acct_a');
    expect(raw.timeoutMs).toBe(60_000);
    raw.stall();
    expect(raw.destroyed).toBe(true);
  });

  it('count no client that has left', () => {
    const { reads, begin } = opened();
    const gone = { raw: Object.assign(new Raw(), { destroyed: true }) } as unknown as FastifyReply;
    for (let count = 0; count <= LIMIT; count += 1) reads.begin(gone, 'acct_a');
    begin('acct_a');
  });
});
