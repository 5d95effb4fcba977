import { GatewayError } from '@gateway/contracts';
import { expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { RunDurable } from './run-durable.service.js';
import { admittedRequest, FakeReply } from './test-support/edge-fakes.js';

const LATER = { waitMs: 0, isResumable: false, applied: 'respond-async' };

/** The spine, with the steps that it takes. `add` and `send` may fail. */
function setUp({ add, send }: { readonly add?: Error; readonly send?: Error } = {}) {
  const steps: string[] = [];
  const step = async <Result>(name: string, failure: Error | undefined, result: Result): Promise<Result> => {
    steps.push(name);
    if (failure !== undefined) throw failure;
    return result;
  };
  const durable = new RunDurable(
    { admitted: () => step('admitted', undefined, admittedRequest()) } as never,
    { checkEnabled: () => undefined, placeOf: () => 'row', add: () => step('stored', add, {}) } as never,
    { ticketOf: () => ({}), send: () => step('queued', send, undefined) } as never,
    { settle: (_request: unknown, ...settled: unknown[]) => steps.push(`settled ${settled}`) } as never,
    { respond: () => step('responded', undefined, undefined) } as never,
    {} as never,
    { keptRequestDeadlineMs: 1_000, relayAdvertisedUrl: 'ws://edge' } as never,
  );
  const run = () => durable.run(admittedRequest(), LATER, new FakeReply() as unknown as FastifyReply);
  return { steps, run };
}

it('stores a request before it queues its ticket, and responds then', async () => {
  const { steps, run } = setUp();
  await run();
  expect(steps).toEqual(['admitted', 'stored', 'queued', 'responded']);
});

it('returns the hold of a request that cannot be stored, and queues nothing', async () => {
  const { steps, run } = setUp({ add: new GatewayError('store_full', 'full') });
  await expect(run()).rejects.toMatchObject({ code: 'store_full' });
  expect(steps).toEqual(['admitted', 'stored', 'settled failed,,store_full']);
});

it('responds also if the queue is away: a sweep queues the ticket', async () => {
  const { steps, run } = setUp({ send: new GatewayError('service_unavailable', 'away') });
  await run();
  expect(steps).toEqual(['admitted', 'stored', 'queued', 'responded']);
});
