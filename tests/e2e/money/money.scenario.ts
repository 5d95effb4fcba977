import { setTimeout as pause } from 'node:timers/promises';
import type { ModelEntry } from '@gateway/contracts';
import { expectedCost, type JournalEntry, type SettlementRow, seededRandom, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { TaggedCalls, tagOf } from '../resilience/tagged-calls.js';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { chatModels } from '../text/chat-models.js';
import { type ClientResult, sendRequest } from './client-behavior.js';
import { kindOf, REQUEST_KINDS, type RequestKind, type RequestKindName, supportsKind } from './request-kinds.js';

const SEED = 20_261_121;
const REQUESTS = 1_000;
const CONCURRENCY = 24;
/** With three attempts a request this stays below what the simulator remembers. */
const COLLECT_EVERY = 20;

const stack = await startTestStack({
  restrictServices: true,
  services: ['upstream-simulator', 'billing', 'accounts', 'api-edge'],
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
interface RequestRecord {
  readonly number: number;
  readonly kind: RequestKindName;
  readonly model: ModelEntry;
  readonly isStream: boolean;
  readonly result: ClientResult;
  calls: JournalEntry[];
  settlement?: SettlementRow;
}

const customer = await stack.createCustomer({ creditUsd: '100000', limits: { rpm: 0, concurrency: 0 } });
const models = await chatModels(stack.baseUrl, customer.apiKey);
const weights = Object.fromEntries(Object.entries(REQUEST_KINDS).map(([name, { weight }]) => [name, weight])) as Record<
  RequestKindName,
  number
>;

const random = seededRandom(SEED);

/** Draws all random values in order, so that the seed alone decides the requests. */
function planRequest(number: number) {
  const kind = random.weighted(weights);
  const model = random.pick(models.filter(({ id }) => supportsKind(kind, id)));
  const row: RequestKind = kindOf(kind);
  const isStream = row.isStream ?? (supportsKind('stream', model.id) && random.chance(0.5));
  const {
    directives = '',
    more,
    content = [],
    behavior = { action: 'read' },
  } = row.draw(random, model.limits.context_tokens ?? 0);
  const text = `${directives === '' ? '' : `{{sim ${directives}}} `}${tagOf(number)} of a thousand`;
  const body = {
    model: model.id,
    messages: [{ role: 'user', content: content.length === 0 ? text : [{ type: 'text', text }, ...content] }],
    ...(isStream && { stream: true }),
    ...(isStream && random.chance(0.5) && { stream_options: { include_usage: true } }),
    ...more,
  };
  return { number, kind, model, isStream, body, behavior } as const;
}

async function runAll(taggedCalls: TaggedCalls): Promise<RequestRecord[]> {
  const plans = Array.from({ length: REQUESTS }, (_, number) => planRequest(number));
  const records: RequestRecord[] = [];
  const client = async (): Promise<void> => {
    for (let next = plans.shift(); next !== undefined; next = plans.shift()) {
      const { body, behavior, ...rest } = next;
      const result = await sendRequest(stack.baseUrl, customer.apiKey, body, behavior);
      records.push({ ...rest, result, calls: [] });
      if (records.length % COLLECT_EVERY === 0) await taggedCalls.collect();
      // The client obeys Retry-After: otherwise an unhealthy vendor would fail all its requests.
      if (result.status === 503) await pause(result.retryAfterMs ?? 1_000);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, client));
  await taggedCalls.collect();
  return records.sort((a, b) => a.number - b.number);
}

const taggedCalls = await TaggedCalls.from(stack.simulator);
const since = await stack.simulator.lastSeq();
const records = await runAll(taggedCalls);
await waitUntilSettled(stack);
const journal = await stack.simulator.closedJournal(since);
const settlements = await stack.ledger.settlements(customer.accountId);

const recordBySeq = (seq: number): RequestRecord => records[taggedCalls.numberOf(seq)] as RequestRecord;
for (const call of journal) recordBySeq(call.seq).calls.push(call);
assignSettlements();

/** Found by the client's request id, else by the upstream's id in the attempts of the receipt. */
function assignSettlements(): void {
  const byRequestId = new Map(records.map((record) => [record.result.requestId, record]));
  const byUpstreamId = new Map(journal.map((call) => [call.upstream_id, recordBySeq(call.seq)]));
  for (const settlement of settlements) {
    const upstreamId = settlement.attempts.find((attempt) => attempt.upstreamId !== undefined)?.upstreamId;
    const record = byRequestId.get(settlement.requestId) ?? byUpstreamId.get(upstreamId ?? '');
    if (record !== undefined) record.settlement = settlement;
  }
}

const billedOf = ({ calls, model }: RequestRecord): bigint =>
  calls.reduce((sum, { billed }) => sum + (billed === null ? 0n : expectedCost(model, billed)), 0n);
const chargedOf = ({ settlement }: RequestRecord): bigint => settlement?.chargedNanoUsd ?? 0n;

/** A request that met a vendor which was still unhealthy got an error for free. */
const chargeRuleOf = ({ kind, result }: RequestRecord): RequestKind['chargeRule'] => {
  const { chargeRule } = kindOf(kind);
  return chargeRule === 'refused' || result.status === undefined || result.status === 200 ? chargeRule : 'nothing';
};

const withChargeRule = (chargeRule: RequestKind['chargeRule']): readonly RequestRecord[] =>
  records.filter((record) => chargeRuleOf(record) === chargeRule);

/** The lines of a failed assertion for one request. */
const summaryOf = (record: RequestRecord) => ({
  number: record.number,
  kind: record.kind,
  model: record.model.id,
  isStream: record.isStream,
  result: record.result,
  charged: chargedOf(record),
  billed: billedOf(record),
  outcome: record.settlement?.outcome,
  isEstimated: record.settlement?.isEstimated,
  units: record.settlement?.units,
  calls: record.calls.map(({ status, billed, client_aborted }) => ({ status, billed, client_aborted })),
});

/** How many times each status occurred. */
function countStatuses(of: readonly RequestRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of of) counts[String(result.status)] = (counts[String(result.status)] ?? 0) + 1;
  return counts;
}

/** Sums for each kind, so that a failure shows where the money went. */
function sums(): string {
  const rows = Object.keys(REQUEST_KINDS).map((kind) => {
    const of = records.filter((record) => record.kind === kind);
    const total = (amount: (record: RequestRecord) => bigint): bigint =>
      of.reduce((sum, record) => sum + amount(record), 0n);
    return `${kind}: ${of.length} requests, charged ${total(chargedOf)}, billed ${total(billedOf)} nano-USD`;
  });
  return rows.join('\n');
}

/** Fails with the requests that break the rule and the sums of all kinds. */
function expectEvery(rule: string, of: readonly RequestRecord[], holds: (record: RequestRecord) => boolean): void {
  const broken = of.filter((record) => !holds(record));
  const printable = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);
  const report = `${broken.length} of ${of.length} break: ${rule} (seed ${SEED})\n${sums()}\n${broken
    .slice(0, 8)
    .map((record) => JSON.stringify(summaryOf(record), printable))
    .join('\n')}`;
  expect(broken.length === 0 ? '' : report).toBe('');
}

describe(`a thousand mixed requests (seed ${SEED})`, () => {
  it('mostly end as their kind expects', () => {
    expect(records).toHaveLength(REQUESTS);
    expect(journal.length).toBeGreaterThan(REQUESTS * 0.85);
    for (const name of Object.keys(REQUEST_KINDS) as RequestKindName[]) {
      const of = records.filter(({ kind }) => kind === name);
      const matching = of.filter((record) => chargeRuleOf(record) === kindOf(name).chargeRule);
      expect({ name, isMostly: matching.length >= of.length * 0.8, statuses: countStatuses(of) }).toMatchObject({
        isMostly: true,
      });
    }
  });

  it('have one settlement if admitted and none if rejected', () => {
    expectEvery('rejected: no settlement', withChargeRule('refused'), ({ settlement }) => settlement === undefined);
    const admitted = records.filter(
      (record) => chargeRuleOf(record) !== 'refused' && record.result.status !== undefined,
    );
    expectEvery('admitted: a settlement', admitted, ({ settlement }) => settlement !== undefined);
    const known = new Set(records.map(({ settlement }) => settlement));
    const unknown = settlements.filter((settlement) => !known.has(settlement));
    const withoutHead = records.filter(
      ({ result, settlement }) => result.status === undefined && settlement === undefined,
    );
    expect(unknown.length).toBeLessThanOrEqual(withoutHead.length);
    for (const { costNanoUsd, outcome } of unknown) {
      expect(costNanoUsd).toBe(0n);
      expect(['aborted', 'failed']).toContain(outcome);
    }
  });

  it('are charged exactly what the upstream billed by its own count', () => {
    expectEvery('equal to the invoice and no estimate', withChargeRule('exact'), (record) => {
      const { settlement } = record;
      return (
        chargedOf(record) === billedOf(record) &&
        settlement?.isEstimated === false &&
        settlement.outcome === 'completed'
      );
    });
  });

  it('are charged exactly what was generated when the client left in a known state', () => {
    expectEvery('equal to the invoice, flagged as an estimate', withChargeRule('knownState'), (record) => {
      const { settlement } = record;
      return (
        chargedOf(record) === billedOf(record) && settlement?.isEstimated === true && settlement.outcome === 'aborted'
      );
    });
  });

  it('are charged at most what the upstream billed for a broken response, as an estimate', () => {
    expectEvery('at most the invoice, an estimate unless equal', withChargeRule('atMost'), (record) => {
      const [charged, billed] = [chargedOf(record), billedOf(record)];
      return charged <= billed && (charged === 0n || charged === billed || record.settlement?.isEstimated === true);
    });
    expectEvery('a stream cut after its beginning is charged', withChargeRule('atMost'), (record) => {
      const isCut = record.kind === 'cutStream' && record.result.status === 200 && billedOf(record) > 0n;
      return !isCut || chargedOf(record) > 0n;
    });
  });

  it('cost nothing without a response', () => {
    expectEvery('no charge', withChargeRule('nothing'), (record) => chargedOf(record) === 0n);
  });

  it('are charged a marked estimate where the upstream returned no usage', () => {
    const of = withChargeRule('atMost').filter(({ kind }) => kind === 'withoutUsage');
    expectEvery(
      'an estimate above zero',
      of,
      (record) => chargedOf(record) > 0n && record.settlement?.isEstimated === true,
    );
  });

  it('leave a consistent ledger and no hold', async () => {
    await expectConsistentLedger(stack, [customer]);
    expect(await customer.balance()).toMatchObject({ held_usd: '0.00' });
  });
});
