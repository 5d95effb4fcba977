import { describe, expect, it } from '@jest/globals';
import { sampleTicket } from '../test-support/samples.js';
import { TicketBundler, type TicketJob, ticketsOf } from './ticket-bundle.js';

function recordJobs(add: (job: TicketJob) => Promise<unknown> = async () => undefined) {
  const jobs: { readonly job: TicketJob; readonly jobId: string }[] = [];
  const bundler = new TicketBundler((job, jobId) => {
    jobs.push({ job, jobId });
    return add(job);
  });
  return { bundler, jobs };
}

describe('TicketBundler', () => {
  it('adds a single ticket as a job of its own, with the request id', async () => {
    const { bundler, jobs } = recordJobs();
    const ticket = sampleTicket();
    await bundler.enqueue(ticket);
    expect(jobs).toEqual([{ job: ticket, jobId: ticket.requestId }]);
  });

  it('bundles up to eight tickets of one event loop iteration', async () => {
    const { bundler, jobs } = recordJobs();
    const tickets = Array.from({ length: 9 }, () => sampleTicket());
    await Promise.all(tickets.map((ticket) => bundler.enqueue(ticket)));
    const [first, last] = [tickets[0], tickets[8]];
    expect(jobs).toEqual([
      { job: { tickets: tickets.slice(0, 8) }, jobId: `bundle-${first?.requestId}` },
      { job: last, jobId: last?.requestId },
    ]);
  });

  it('adds a request once if it is enqueued twice', async () => {
    const { bundler, jobs } = recordJobs();
    const ticket = sampleTicket();
    await Promise.all([bundler.enqueue(ticket), bundler.enqueue(ticket)]);
    expect(jobs).toHaveLength(1);
  });

  it('rejects every ticket of a job that cannot be added', async () => {
    const { bundler } = recordJobs(() => Promise.reject(new Error('Redis is away')));
    const results = await Promise.allSettled([bundler.enqueue(sampleTicket()), bundler.enqueue(sampleTicket())]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('ticketsOf', () => {
  it('parses a single ticket and a bundle', () => {
    const tickets = [sampleTicket(), sampleTicket()];
    expect(ticketsOf(tickets[0]).map(({ data }) => data)).toEqual([tickets[0]]);
    expect(ticketsOf({ tickets }).map(({ data }) => data)).toEqual(tickets);
  });

  it('parses the other tickets of a bundle with a malformed one', () => {
    const ticket = sampleTicket();
    expect(ticketsOf({ tickets: [{ schemaVersion: 2 }, ticket] }).map(({ success }) => success)).toEqual([false, true]);
  });
});
