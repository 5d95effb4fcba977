import { bodyObject, type DurableRequest, type RequestId, responseObject } from '@gateway/contracts';
import { createLogger, type Logger } from '@gateway/observability';
import type { OwnedRequest, RequestDecision, RequestStore } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import { ticketOf } from '../test-support/fakes.js';
import type { EndStoredRequest } from './end-stored-request.service.js';
import { RecoverRequests, type RecoveryPorts } from './recover-requests.service.js';

const ID = 'req_202611aaaaaaaaaaaaaaaaaaaa' as RequestId;

const requestOf = (more: Partial<DurableRequest> = {}): DurableRequest => ({
  requestId: ID,
  accountId: 'acct_a',
  isTest: false,
  endpoint: 'chat.completions',
  model: 'm',
  vendor: 'openai',
  status: 'in_progress',
  version: 1,
  ticket: ticketOf({ requestId: ID }),
  webhookUrl: null,
  attempts: 1,
  isCancelRequested: false,
  settlement: null,
  response: null,
  error: null,
  createdAtMs: 0,
  startedAtMs: null,
  finishedAtMs: null,
  expiresAtMs: 0,
  ...more,
});

interface World {
  readonly due?: readonly OwnedRequest[];
  readonly expired?: Awaited<ReturnType<RequestStore['expired']>>;
  readonly hasBegun?: boolean;
  /** The claim of this sweep still holds. */
  readonly holds?: boolean;
  readonly settles?: boolean;
  readonly deletes?: () => Promise<void>;
}

/** One round of the sweep over these rows: what it did, in order. */
async function sweep({ due = [], expired = [], hasBegun = false, holds = true, settles = true, deletes }: World) {
  const done: string[] = [];
  const decisions: RequestDecision[] = [];
  const actions: string[] = [];
  const did = <Result>(what: string, result: Result) => {
    done.push(what);
    return Promise.resolve(result);
  };
  const batches = [due, []];
  const over = Promise.withResolvers<void>();
  const requests = {
    takeDue: async () => batches.shift() ?? [],
    expired: async () => {
      if (expired.length === 0) over.resolve();
      return expired;
    },
    remove: (removed: readonly string[]) => {
      over.resolve();
      return did(`remove ${removed.join()}`, removed.length);
    },
    return: () => did('return', holds),
  } as unknown as RequestStore;
  const ports: RecoveryPorts = {
    vendors: ['openai'],
    requests,
    objects: { delete: (key: string) => did(`delete ${key}`, undefined).then(deletes) } as RecoveryPorts['objects'],
    admission: { renew: () => did('renew', undefined) } as unknown as RecoveryPorts['admission'],
    settler: {
      settle: () => did('settle', settles ? { balanceNanoUsd: '1' } : undefined),
    } as unknown as RecoveryPorts['settler'],
    queueAgain: ({ ticket }) => did(`queue ${ticket.requestId}`, undefined),
    live: { hasBegun: async () => hasBegun },
    onRecovered: (action) => actions.push(action),
    logger: { ...createLogger({ service: 'sync-worker', level: 'silent' }), warn: () => over.resolve() } as Logger,
  };
  const ending = {
    end: (request: DurableRequest, _claim: unknown, decision: RequestDecision) => {
      decisions.push(decision);
      return did('end', holds ? request : undefined);
    },
    settled: () => did('mark', undefined),
  } as unknown as EndStoredRequest;
  const recovery = new RecoverRequests(ports, ending);
  recovery.start();
  await over.promise;
  await recovery.stop();
  return { done, decisions, actions };
}

const owned = (more: Partial<DurableRequest> = {}, isLate = false): readonly OwnedRequest[] => [
  { request: requestOf(more), owner: 'owner', isLate },
];

interface Found {
  readonly isLate?: boolean;
  readonly hasBegun?: boolean;
}

describe('the sweep of stored requests', () => {
  it('queues a ticket again that no worker has claimed, with its hold', async () => {
    const { done, actions } = await sweep({
      due: [{ request: requestOf({ status: 'queued' }), owner: null, isLate: false }],
    });
    expect([done, actions]).toEqual([['renew', `queue ${ID}`], ['queued_again']]);
  });

  it('runs a request again whose worker was lost', async () => {
    const { done, actions } = await sweep({ due: owned() });
    expect([done, actions]).toEqual([['return', 'renew', `queue ${ID}`], ['run_again']]);
  });

  it.each([
    ['its customer has cancelled it', { isCancelRequested: true }, {}, 'cancelled', 'client_closed_request'],
    ['its time is over', {}, { isLate: true }, 'expired', 'upstream_timeout'],
    ['two workers were lost', { attempts: 2 }, {}, 'given_up', 'worker_lost'],
    ['readers have seen its stream', {}, { hasBegun: true }, 'given_up', 'worker_lost'],
  ] as const)('ends a request for free if %s', async (_reason, more, { isLate, hasBegun }: Found, action, code) => {
    const { done, decisions, actions } = await sweep({ due: owned(more, isLate), hasBegun: hasBegun ?? false });
    expect([done, actions]).toEqual([['end', 'settle', 'mark'], [action]]);
    expect(decisions).toMatchObject([{ response: null, error: { code }, settlement: { costNanoUsd: '0' } }]);
  });

  it('leaves it to PostgreSQL when the time of a request is over', async () => {
    // As for a worker whose clock is far ahead.
    const { actions } = await sweep({ due: owned({ ticket: ticketOf({ deadlineMs: 1 }) }) });
    expect(actions).toEqual(['run_again']);
  });

  it('settles what has ended, and never ends it again', async () => {
    const { decisions } = await sweep({ due: owned({ attempts: 2 }) });
    const settlement = decisions[0]?.settlement ?? null;
    const ended = { attempts: 2, isCancelRequested: true, settlement, finishedAtMs: 1 };
    const again = await sweep({ due: owned(ended) });
    expect([again.done, again.actions]).toEqual([['settle', 'mark'], ['settled']]);
    // As a worker of an older release leaves it.
    const decided = await sweep({ due: owned({ ...ended, finishedAtMs: null }) });
    expect([decided.done, decided.decisions[0]?.settlement]).toEqual([['end', 'settle', 'mark'], settlement]);
  });

  it('does not mark a request whose settlement is not confirmed', async () => {
    const { done } = await sweep({ due: owned({ attempts: 2 }), settles: false });
    expect(done).toEqual(['end', 'settle']);
  });

  it('leaves a request that another worker has taken meanwhile', async () => {
    const lost = await sweep({ due: owned({ attempts: 2 }), holds: false });
    const returned = await sweep({ due: owned(), holds: false });
    expect([lost.done, lost.actions, returned.done, returned.actions]).toEqual([['end'], [], ['return'], []]);
  });

  it('removes bytes before rows, and keeps rows whose bytes it could not remove', async () => {
    const [body, response] = [bodyObject(ID), responseObject(ID)];
    const expired = [{ requestId: ID, objects: [body, response] }];
    expect((await sweep({ expired })).done).toEqual([`delete ${body}`, `delete ${response}`, `remove ${ID}`]);
    const away = await sweep({ expired, deletes: () => Promise.reject(new Error('away')) });
    expect(away.done.filter((what) => what.startsWith('remove'))).toEqual([]);
  });
});
