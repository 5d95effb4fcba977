import { setTimeout as pause } from 'node:timers/promises';
import type { ModelEntry } from '@gateway/contracts';
import { expectedCost, type JournalEntry, type SettlementRow, seededRandom, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { MarkedCalls, markOf } from '../resilience/marked-calls.js';
import { expectConsistentLedger, untilQuiet } from '../support/expect-consistent-ledger.js';
import { chatModels } from '../text/chat-models.js';
import { ask, type Seen } from './money-client.js';
import { KINDS, type Kind, type KindName, kindOf, mayAsk } from './money-kinds.js';

const SEED = 20_261_121;
const REQUESTS = 1_000;
const AT_A_TIME = 24;
/** With three attempts a request this stays below what the simulator remembers. */
const GATHER_EVERY = 20;

jest.setTimeout(60_000);

const stack = await startTestStack({
  restrictServices: true,
  services: ['upstream-simulator', 'billing', 'api-edge'],
});
afterAll(() => stack.stop());
await stack.system.add('sync-worker', channels());

/** Several credentials a vendor, so that one open breaker does not reject the requests beside a fault. */
function channels(): Record<string, string> {
  const { simulatorUrl } = stack.system;
  const variables = ['openai', 'anthropic', 'gemini', 'dashscope'].flatMap((vendor) => [
    [`${vendor.toUpperCase()}_API_KEY`, 'one,two,three,four,five,six'],
    [`${vendor.toUpperCase()}_BASE_URL`, `${simulatorUrl}/${vendor}`],
  ]);
  return Object.fromEntries(variables) as Record<string, string>;
}

/** One request of the mix: its spec, the client's result, the upstream's invoice and the settlement. */
interface Story {
  readonly number: number;
  readonly kind: KindName;
  readonly model: ModelEntry;
  readonly isStream: boolean;
  readonly seen: Seen;
  calls: JournalEntry[];
  settlement?: SettlementRow;
}

const customer = await stack.createCustomer({ creditUsd: '100000', limits: { rpm: 0, concurrency: 0 } });
const models = await chatModels(stack.baseUrl, customer.apiKey);
const weights = Object.fromEntries(Object.entries(KINDS).map(([name, { weight }]) => [name, weight])) as Record<
  KindName,
  number
>;

const random = seededRandom(SEED);

/** Draws all random values in order, so that the seed alone decides the requests. */
function plan(number: number) {
  const kind = random.weighted(weights);
  const model = random.pick(models.filter(({ id }) => mayAsk(kind, id)));
  const row: Kind = kindOf(kind);
  const isStream = row.isStream ?? (mayAsk('stream', model.id) && random.chance(0.5));
  const {
    directives = '',
    more,
    content = [],
    play = { act: 'read' },
  } = row.wish(random, model.limits.context_tokens ?? 0);
  const text = `${directives === '' ? '' : `{{sim ${directives}}} `}${markOf(number)} of a thousand`;
  const body = {
    model: model.id,
    messages: [{ role: 'user', content: content.length === 0 ? text : [{ type: 'text', text }, ...content] }],
    ...(isStream && { stream: true }),
    ...(isStream && random.chance(0.5) && { stream_options: { include_usage: true } }),
    ...more,
  };
  return { number, kind, model, isStream, body, play } as const;
}

async function runAll(marked: MarkedCalls): Promise<Story[]> {
  const plans = Array.from({ length: REQUESTS }, (_, number) => plan(number));
  const stories: Story[] = [];
  const client = async (): Promise<void> => {
    for (let next = plans.shift(); next !== undefined; next = plans.shift()) {
      const { body, play, ...rest } = next;
      const seen = await ask(stack.baseUrl, customer.apiKey, body, play);
      stories.push({ ...rest, seen, calls: [] });
      if (stories.length % GATHER_EVERY === 0) await marked.gather();
      // The client obeys Retry-After: otherwise an unhealthy vendor would fail all its requests.
      if (seen.status === 503) await pause(seen.retryAfterMs ?? 1_000);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, client));
  await marked.gather();
  return stories.sort((a, b) => a.number - b.number);
}

const marked = await MarkedCalls.from(stack.simulator);
const since = await stack.simulator.lastSeq();
const stories = await runAll(marked);
await untilQuiet(stack);
const journal = await stack.simulator.closedJournal(since);
const settlements = await stack.books.settlements(customer.accountId);

const storyBySeq = (seq: number): Story => stories[marked.numberOf(seq)] as Story;
for (const call of journal) storyBySeq(call.seq).calls.push(call);
assignSettlements();

/** Found by the client's request id, else by the upstream's id in the attempts of the receipt. */
function assignSettlements(): void {
  const byRequestId = new Map(stories.map((story) => [story.seen.requestId, story]));
  const byUpstreamId = new Map(journal.map((call) => [call.upstream_id, storyBySeq(call.seq)]));
  for (const settlement of settlements) {
    const upstreamId = settlement.attempts.find((attempt) => attempt.upstreamId !== undefined)?.upstreamId;
    const story = byRequestId.get(settlement.requestId) ?? byUpstreamId.get(upstreamId ?? '');
    if (story !== undefined) story.settlement = settlement;
  }
}

const billedOf = ({ calls, model }: Story): bigint =>
  calls.reduce((sum, { billed }) => sum + (billed === null ? 0n : expectedCost(model, billed)), 0n);
const chargedOf = ({ settlement }: Story): bigint => settlement?.chargedNanoUsd ?? 0n;

/** A request that met a vendor which was still unhealthy got an error for free. */
const verdictOf = ({ kind, seen }: Story): Kind['verdict'] => {
  const { verdict } = kindOf(kind);
  return verdict === 'refused' || seen.status === undefined || seen.status === 200 ? verdict : 'nothing';
};

const withVerdict = (verdict: Kind['verdict']): readonly Story[] =>
  stories.filter((story) => verdictOf(story) === verdict);

/** The lines of a failed assertion for one request. */
const shown = (story: Story) => ({
  number: story.number,
  kind: story.kind,
  model: story.model.id,
  isStream: story.isStream,
  seen: story.seen,
  charged: chargedOf(story),
  billed: billedOf(story),
  outcome: story.settlement?.outcome,
  isEstimated: story.settlement?.isEstimated,
  units: story.settlement?.units,
  calls: story.calls.map(({ status, billed, client_aborted }) => ({ status, billed, client_aborted })),
});

/** How many times each status occurred. */
function tally(of: readonly Story[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { seen } of of) counts[String(seen.status)] = (counts[String(seen.status)] ?? 0) + 1;
  return counts;
}

/** Sums for each kind, so that a failure shows where the money went. */
function sums(): string {
  const rows = Object.keys(KINDS).map((kind) => {
    const of = stories.filter((story) => story.kind === kind);
    const total = (amount: (story: Story) => bigint): bigint => of.reduce((sum, story) => sum + amount(story), 0n);
    return `${kind}: ${of.length} requests, charged ${total(chargedOf)}, billed ${total(billedOf)} nano-USD`;
  });
  return rows.join('\n');
}

/** Fails with the requests that break the rule and the sums of all kinds. */
function expectOfAll(rule: string, of: readonly Story[], holds: (story: Story) => boolean): void {
  const broken = of.filter((story) => !holds(story));
  const printable = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);
  const report = `${broken.length} of ${of.length} break: ${rule} (seed ${SEED})\n${sums()}\n${broken
    .slice(0, 8)
    .map((story) => JSON.stringify(shown(story), printable))
    .join('\n')}`;
  expect(broken.length === 0 ? '' : report).toBe('');
}

describe(`a thousand mixed requests (seed ${SEED})`, () => {
  it('mostly end as their kind expects', () => {
    expect(stories).toHaveLength(REQUESTS);
    expect(journal.length).toBeGreaterThan(REQUESTS * 0.85);
    for (const name of Object.keys(KINDS) as KindName[]) {
      const of = stories.filter(({ kind }) => kind === name);
      const kept = of.filter((story) => verdictOf(story) === kindOf(name).verdict);
      expect({ name, isMostly: kept.length >= of.length * 0.8, seen: tally(of) }).toMatchObject({ isMostly: true });
    }
  });

  it('have one settlement if admitted and none if rejected', () => {
    expectOfAll('refused: no settlement', withVerdict('refused'), ({ settlement }) => settlement === undefined);
    const admitted = stories.filter((story) => verdictOf(story) !== 'refused' && story.seen.status !== undefined);
    expectOfAll('admitted: a settlement', admitted, ({ settlement }) => settlement !== undefined);
    const known = new Set(stories.map(({ settlement }) => settlement));
    const unknown = settlements.filter((settlement) => !known.has(settlement));
    const headless = stories.filter(({ seen, settlement }) => seen.status === undefined && settlement === undefined);
    expect(unknown.length).toBeLessThanOrEqual(headless.length);
    for (const { costNanoUsd, outcome } of unknown) {
      expect(costNanoUsd).toBe(0n);
      expect(['aborted', 'failed']).toContain(outcome);
    }
  });

  it('are charged exactly what the upstream billed by its own count', () => {
    expectOfAll('equal to the invoice and no estimate', withVerdict('exact'), (story) => {
      const { settlement } = story;
      return (
        chargedOf(story) === billedOf(story) && settlement?.isEstimated === false && settlement.outcome === 'completed'
      );
    });
  });

  it('are charged exactly what was generated when the client left in a known state', () => {
    expectOfAll('equal to the invoice, flagged as an estimate', withVerdict('knownState'), (story) => {
      const { settlement } = story;
      return (
        chargedOf(story) === billedOf(story) && settlement?.isEstimated === true && settlement.outcome === 'aborted'
      );
    });
  });

  it('are charged at most what the upstream billed for a broken response, as an estimate', () => {
    expectOfAll('at most the invoice, an estimate unless equal', withVerdict('atMost'), (story) => {
      const [charged, billed] = [chargedOf(story), billedOf(story)];
      return charged <= billed && (charged === 0n || charged === billed || story.settlement?.isEstimated === true);
    });
    expectOfAll('a stream cut after its beginning is charged', withVerdict('atMost'), (story) => {
      const isCut = story.kind === 'cutStream' && story.seen.status === 200 && billedOf(story) > 0n;
      return !isCut || chargedOf(story) > 0n;
    });
  });

  it('cost nothing without a response', () => {
    expectOfAll('no charge', withVerdict('nothing'), (story) => chargedOf(story) === 0n);
  });

  it('are charged a marked estimate where the upstream returned no usage', () => {
    const of = withVerdict('atMost').filter(({ kind }) => kind === 'withoutUsage');
    expectOfAll(
      'an estimate above zero',
      of,
      (story) => chargedOf(story) > 0n && story.settlement?.isEstimated === true,
    );
  });

  it('leave a consistent ledger and no hold', async () => {
    await expectConsistentLedger(stack, [customer]);
    expect(await customer.balance()).toMatchObject({ held_usd: '0.00' });
  });
});
