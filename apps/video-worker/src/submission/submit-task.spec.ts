import { GatewayError, RequestAbort, type SyncTicket } from '@gateway/contracts';
import type { WorkerVideoTask } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import { fake, NO_FAILPOINTS, silentLogger, task } from '../test-support/fakes.js';
import type { EndSubmission } from './end-submission.service.js';
import type { HoldMoney } from './hold-money.service.js';
import type { OpenedTask, OpenTask } from './open-task.service.js';
import type { ReceivedSubmission, SubmissionFacts } from './received-submission.js';
import type { StoreAcceptance } from './store-acceptance.service.js';
import { SubmitTask } from './submit-task.service.js';
import type { SubmitUpstream, UpstreamSubmission } from './submit-upstream.service.js';

const TICKET = { requestId: 'req_1', holdNanoUsd: '500' } as SyncTicket;
const FACTS = {} as SubmissionFacts;
const OPENED = task({ state: 'submitting' });
const ACCEPTED: UpstreamSubmission = { kind: 'accepted', task: OPENED, attempts: [], upstreamTaskId: 'up-1' };
const REJECTED = new GatewayError('invalid_request', 'No.');
const TIMED_OUT = new GatewayError('upstream_timeout', 'Late.');
const AMBIGUOUS = new GatewayError('upstream_timeout', 'The upstream did not confirm the task.');
const BALANCE = 1_000n;

interface World {
  readonly opened?: Pick<OpenedTask, 'outcome' | 'task'> | Error;
  readonly transferred?: bigint | Error;
  readonly submitted?: UpstreamSubmission | Error;
  readonly stored?: WorkerVideoTask | Error;
  /** The error for the client, if the task's end is ambiguous. */
  readonly ended?: GatewayError;
  readonly clientSignal?: AbortSignal;
  readonly stop?: AbortSignal;
}

const orThrow = <T>(value: T | Error): T => {
  if (value instanceof Error) throw value;
  return value;
};

async function submit(world: World) {
  const calls: unknown[][] = [];
  let openSubmissions = 0;
  const open = async () => {
    const opened = orThrow(world.opened ?? { outcome: 'opened', task: OPENED });
    openSubmissions += 1;
    const close = () => {
      openSubmissions -= 1;
    };
    const submission = fake<ReceivedSubmission>({ facts: FACTS, close });
    return { ...opened, submission, model: {} } as OpenedTask;
  };
  const submitting = new SubmitTask(
    fake<OpenTask>({ open }),
    fake<HoldMoney>({
      transfer: async () => {
        calls.push(['transfer']);
        return orThrow(world.transferred ?? BALANCE);
      },
      release: (_ticket, code) => void calls.push(['release', code]),
    }),
    fake<SubmitUpstream>({
      leaseMs: 65_000,
      submit: async () => {
        calls.push(['submit']);
        return orThrow(world.submitted ?? ACCEPTED);
      },
    }),
    fake<StoreAcceptance>({
      store: async (_task, upstreamTaskId) => {
        calls.push(['store', upstreamTaskId]);
        return orThrow(world.stored ?? task());
      },
    }),
    fake<EndSubmission>({
      fail: async (_task, error) => void calls.push(['fail', error.code]),
      end: async (_task, error) => {
        calls.push(['end', error.code]);
        return world.ended ?? error;
      },
    }),
    NO_FAILPOINTS,
    silentLogger(),
  );
  const { clientSignal = new AbortController().signal, stop = new AbortController().signal } = world;
  const end = await submitting.submit({ ticket: TICKET, body: Buffer.of(), traceparent: null, clientSignal, stop });
  expect(openSubmissions).toBe(0);
  return { calls, end };
}

describe('SubmitTask', () => {
  it('transfers the hold, submits once, stores the acceptance and responds with the remaining balance', async () => {
    const { calls, end } = await submit({});
    expect(calls).toEqual([['transfer'], ['submit'], ['store', 'up-1']]);
    expect(end).toEqual({ outcome: 'accepted', task: task(), balanceNanoUsd: BALANCE });
  });

  it('releases the hold of a repeated request and returns the existing task', async () => {
    const { calls, end } = await submit({ opened: { outcome: 'exists', task: task() } });
    expect(calls).toEqual([['release', undefined]]);
    expect(end).toEqual({ outcome: 'repeated', task: task(), facts: FACTS });
  });

  it.each([
    ['the request has been settled', new GatewayError('client_closed_request', 'Cancelled.'), 'client_closed_request'],
    ['the database is unavailable', Object.assign(new Error('refused'), { syscall: 'connect' }), 'service_unavailable'],
    ['of a bug', new TypeError('oops'), 'internal_error'],
  ])('releases the hold if the task is not stored because %s', async (_case, opened, code) => {
    const { calls, end } = await submit({ opened });
    expect(calls).toEqual([['release', code]]);
    expect(end).toMatchObject({ outcome: 'failed', error: { code }, balanceNanoUsd: null });
  });

  it('ends the task and releases the hold if Redis does not transfer the hold', async () => {
    const { calls, end } = await submit({ transferred: new GatewayError('service_unavailable', 'Away.') });
    expect(calls).toEqual([['transfer'], ['end', 'service_unavailable'], ['release', 'service_unavailable']]);
    expect(end).toMatchObject({ outcome: 'failed', balanceNanoUsd: null });
  });

  it('does not submit for a client that has left: the task returns the hold', async () => {
    const clientSignal = AbortSignal.abort(new RequestAbort('client_closed'));
    const { calls, end } = await submit({ clientSignal });
    expect(calls).toEqual([['transfer'], ['end', 'client_closed_request']]);
    expect(end).toMatchObject({ outcome: 'failed', error: { code: 'client_closed_request' }, balanceNanoUsd: 1_500n });
  });

  it('does not submit if the worker shuts down', async () => {
    const { calls, end } = await submit({ stop: AbortSignal.abort(new GatewayError('worker_lost', 'Shutdown.')) });
    expect(calls).toEqual([['transfer'], ['end', 'worker_lost']]);
    expect(end).toMatchObject({ outcome: 'failed', error: { code: 'worker_lost' }, balanceNanoUsd: 1_500n });
  });

  it('fails a rejected submission and reports the balance with the released hold', async () => {
    const { calls, end } = await submit({
      submitted: { kind: 'refused', task: OPENED, attempts: [], error: REJECTED },
    });
    expect(calls).toEqual([['transfer'], ['submit'], ['fail', 'invalid_request'], ['end', 'invalid_request']]);
    expect(end).toEqual({ outcome: 'failed', error: REJECTED, balanceNanoUsd: 1_500n });
  });

  it('keeps the hold of an ambiguous submission', async () => {
    const submitted = { kind: 'unknown', task: OPENED, attempts: [], error: TIMED_OUT } as const;
    const { calls, end } = await submit({ submitted, ended: AMBIGUOUS });
    expect(calls).toEqual([['transfer'], ['submit'], ['end', 'upstream_timeout']]);
    expect(end).toEqual({ outcome: 'unknown', error: AMBIGUOUS, balanceNanoUsd: BALANCE });
  });

  it('keeps the hold if the acceptance cannot be stored: recovery finds the task', async () => {
    const { calls, end } = await submit({ stored: new TypeError('oops'), ended: AMBIGUOUS });
    expect(calls).toEqual([['transfer'], ['submit'], ['store', 'up-1'], ['end', 'internal_error']]);
    expect(end).toEqual({ outcome: 'unknown', error: AMBIGUOUS, balanceNanoUsd: BALANCE });
  });

  it('fails a submission whose task has ended before the upstream responded', async () => {
    const { calls, end } = await submit({ stored: task({ state: 'expired' }) });
    expect(calls.at(-1)).toEqual(['end', 'upstream_timeout']);
    expect(end).toMatchObject({ outcome: 'failed', error: { code: 'upstream_timeout' }, balanceNanoUsd: 1_500n });
  });
});
