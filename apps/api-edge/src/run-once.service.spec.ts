import { GatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import type { KeepContents } from './contents/keep-contents.service.js';
import type { ResponseRecording, ValidRequest } from './edge-request.js';
import type { IdempotencyClaim, IdempotencyClaims } from './idempotency/idempotency-claims.service.js';
import type { RunDurable } from './run-durable.service.js';
import { RunOnce } from './run-once.service.js';
import type { RunRequest } from './run-request.service.js';
import { FakeReply, REQUEST_ID, validRequest } from './test-support/edge-fakes.js';

const KEY = { 'idempotency-key': 'order-1' };

interface OnceOptions {
  readonly balance?: bigint;
  readonly refusal?: Error;
  /** The first request is kept. */
  readonly isKept?: boolean;
}

function once(claim: IdempotencyClaim | Error, { balance, refusal, isKept = false }: OnceOptions = {}) {
  const runs: ValidRequest[] = [];
  const claimed: string[] = [];
  const claims = {
    claim: async (_valid: ValidRequest, key: string, onNotRun: (balance: bigint | null) => void) => {
      claimed.push(key);
      if (balance !== undefined) onNotRun(balance);
      if (claim instanceof Error) throw claim;
      return claim;
    },
  } as unknown as IdempotencyClaims;
  const runRequest = {
    run: async (valid: ValidRequest, _reply: FastifyReply) => {
      runs.push(valid);
      if (refusal !== undefined) throw refusal;
    },
  } as unknown as RunRequest;
  const later: string[] = [];
  const takenAgain: string[] = [];
  const runDurable = {
    takeAgain: async (_valid: ValidRequest, { applied }: { applied: string }, requestId: string) => {
      if (refusal !== undefined) throw refusal;
      if (isKept) takenAgain.push(`${requestId} ${applied}`);
      return isKept;
    },
    run: async (_valid: ValidRequest, { applied }: { applied: string }) => {
      later.push(applied);
      if (refusal !== undefined) throw refusal;
    },
  } as unknown as RunDurable;
  const contents = { observe: () => undefined } as unknown as KeepContents;
  return { claimed, runOnce: new RunOnce(claims, runRequest, runDurable, contents), runs, later, takenAgain };
}

function newRecording() {
  const calls: string[] = [];
  const recording = { release: async () => void calls.push('release') } as unknown as ResponseRecording;
  return { calls, claim: { isReplay: false, recording, idempotencyHash: 'hash' } as const, recording };
}

const stored = {
  isReplay: true,
  requestId: REQUEST_ID,
  response: { status: 201, contentType: 'a/b', bytes: 5, body: Buffer.from('words') },
} as const;

describe('RunOnce', () => {
  it('runs a request without a key, and claims nothing', async () => {
    const { claimed, runOnce, runs } = once(new Error('not claimed'));
    const valid = validRequest();
    await runOnce.run(valid, new FakeReply().asReply);
    expect([runs, claimed]).toEqual([[valid], []]);
  });

  it('runs a request whose client prefers to take the response later', async () => {
    const { later, runOnce, runs } = once(new Error('not claimed'));
    const reply = new FakeReply({ prefer: 'respond-async' });
    await runOnce.run(validRequest(), reply.asReply);
    expect([later, runs]).toEqual([['respond-async'], []]);
    expect(reply.sentHeaders).toMatchObject({ 'preference-applied': 'respond-async' });
  });

  it('claims to apply no preference of a refused request, of a replay and of a video', async () => {
    const prefer = { ...KEY, prefer: 'respond-async' };
    const refused = new FakeReply({ prefer: 'respond-async' });
    const refusal = new GatewayError('insufficient_balance', 'no money');
    const { runOnce } = once(stored, { refusal });
    await expect(runOnce.run(validRequest(), refused.asReply)).rejects.toBe(refusal);
    const replayed = new FakeReply(prefer);
    await once(stored).runOnce.run(validRequest(), replayed.asReply);
    const video = new FakeReply({ prefer: 'respond-async' });
    await once(stored).runOnce.run(validRequest({ endpoint: 'videos.generations' }), video.asReply);
    for (const { sentHeaders } of [refused, replayed, video]) {
      expect(sentHeaders).not.toHaveProperty('preference-applied');
    }
  });

  it('gives a kept request again as its client prefers to take it, and not as its record', async () => {
    const reply = new FakeReply({ ...KEY, prefer: 'wait=5' });
    const { runOnce, runs, takenAgain } = once(stored, { isKept: true });
    await runOnce.run(validRequest(), reply.asReply);
    expect([takenAgain, runs, reply.body]).toEqual([[`${REQUEST_ID} wait=5`], [], undefined]);
    expect(reply.sentHeaders).toMatchObject({ 'preference-applied': 'wait=5' });
    const background = once(stored, { isKept: true });
    await background.runOnce.run(validRequest({ inBackground: true }), new FakeReply(KEY).asReply);
    expect(background.takenAgain).toEqual([`${REQUEST_ID} `]);
  });

  it('applies no preference where a kept request cannot be taken again', async () => {
    const refusal = new GatewayError('rate_limit_exceeded', 'too many waits');
    const reply = new FakeReply({ ...KEY, prefer: 'wait=5' });
    await expect(once(stored, { refusal }).runOnce.run(validRequest(), reply.asReply)).rejects.toBe(refusal);
    expect(reply.sentHeaders).not.toHaveProperty('preference-applied');
  });

  it('rejects a malformed key before it claims or runs anything', async () => {
    const { claimed, runOnce, runs } = once(new Error('not claimed'));
    const reply = new FakeReply({ 'idempotency-key': '' });
    await expect(runOnce.run(validRequest(), reply.asReply)).rejects.toMatchObject({ code: 'invalid_request' });
    expect([runs, claimed]).toEqual([[], []]);
  });

  it('runs the first request of a key with a recording, and leaves the key claimed', async () => {
    const { calls, claim, recording } = newRecording();
    const { claimed, runOnce, runs } = once(claim);
    await runOnce.run(validRequest(), new FakeReply(KEY).asReply);
    expect(claimed).toEqual(['order-1']);
    expect(runs).toHaveLength(1);
    expect(runs[0]?.recording).toBe(recording);
    expect(runs[0]?.idempotencyHash).toBe('hash');
    expect(calls).toEqual([]);
  });

  it('replays a stored response without running anything', async () => {
    const { runOnce, runs } = once(stored, { balance: 3n });
    const reply = new FakeReply(KEY);
    await runOnce.run(validRequest(), reply.asReply);
    expect(runs).toEqual([]);
    expect([reply.status, reply.body]).toEqual([201, stored.response.body]);
    expect(reply.sentHeaders).toMatchObject({
      'idempotent-replayed': 'true',
      'idempotent-request-id': REQUEST_ID,
      'content-length': 5,
    });
  });

  it('reports what validation changed, also with a replayed response', async () => {
    const { runOnce } = once(stored);
    const reply = new FakeReply(KEY);
    await runOnce.run(validRequest({ changes: { filled: { size: '1024*1024' }, dropped: ['n'] } }), reply.asReply);
    expect(reply.sentHeaders).toMatchObject({ 'x-gateway-filled': 'size=1024*1024', 'x-gateway-dropped': 'n' });
  });

  it('reports what the adapter changed, as its first response did', async () => {
    const changes = { 'x-gateway-filled': 'size=1024*1024, temperature=1' };
    const { runOnce } = once({ ...stored, response: { ...stored.response, changes } });
    const reply = new FakeReply(KEY);
    await runOnce.run(validRequest({ changes: { filled: { size: '1024*1024' }, dropped: [] } }), reply.asReply);
    expect(reply.sentHeaders).toMatchObject(changes);
  });

  it('charges a replay nothing, and shows the balance', async () => {
    const { runOnce } = once(stored, { balance: 3_000_000_000n });
    const reply = new FakeReply(KEY);
    await runOnce.run(validRequest(), reply.asReply);
    expect(Number(reply.sentHeaders['x-cost-usd'])).toBe(0);
    expect(Number(reply.sentHeaders['x-balance-usd'])).toBe(3);
  });

  it('releases the key of a request that was not admitted, so that its client can retry', async () => {
    const { calls, claim } = newRecording();
    const refusal = new GatewayError('insufficient_balance', 'no money');
    const { runOnce } = once(claim, { refusal });
    await expect(runOnce.run(validRequest(), new FakeReply(KEY).asReply)).rejects.toBe(refusal);
    expect(calls).toEqual(['release']);
  });

  it('runs nothing if the key cannot be claimed', async () => {
    const conflict = new GatewayError('idempotency_conflict', 'used');
    const { runOnce, runs } = once(conflict);
    await expect(runOnce.run(validRequest(), new FakeReply(KEY).asReply)).rejects.toBe(conflict);
    expect(runs).toEqual([]);
  });
});
