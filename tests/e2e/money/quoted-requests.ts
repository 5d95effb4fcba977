import type { Agent } from 'node:http';
import type { ModelEntry } from '@gateway/contracts';
import {
  type Customer,
  eventually,
  expectedCost,
  fullResponse,
  type JournalEntry,
  nanoOf,
  type SettlementRow,
  seededRandom,
  type TestStack,
} from '@gateway/testing';
import { expect } from '@jest/globals';
import { type BillableRequest, drawBillable } from './billable-requests.js';

/** Random requests of each model at each of its endpoints, after one without optional fields. */
const ROUNDS = 2;
const MODELS_AT_ONCE = 6;
const TASKS_WITHIN_MS = 120_000;
/** A vendor's bill of a video has units that its price leaves out by decision, such as seconds of references. */
const TASKS_PATH = '/v1/videos/generations';

/** Where the vendor names its answer, so that its bill is found. The others are held and charged all the same. */
export const BILLED_ENDPOINTS = [
  '/v1/audio/speech',
  '/v1/audio/transcriptions',
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/images/edits',
  '/v1/images/generations',
  '/v1/messages',
  '/v1/responses',
  '/v1beta/models/{model}:embedContent',
  '/v1beta/models/{model}:generateContent',
  '/v1beta/models/{model}:streamGenerateContent',
];

/** An accepted request, and the hold of its quote. */
interface Accepted {
  readonly requestId: string;
  readonly quotedNanoUsd: bigint;
  readonly request: BillableRequest;
}

/** What one customer sent to one model. `different`: what no quote had said. */
export interface SentRequests {
  readonly entry: ModelEntry;
  readonly customer: Customer;
  readonly accepted: readonly Accepted[];
  readonly different: readonly string[];
}

const shownOf = ({ path, quoted }: BillableRequest): string => `${path} ${JSON.stringify(quoted).slice(0, 400)}`;

/** Quotes a request, then sends it. Returns a text if the quote was wrong, and undefined if both refused it. */
async function sendQuoted(
  stack: TestStack,
  { apiKey }: Customer,
  agent: Agent,
  request: BillableRequest,
): Promise<Accepted | string | undefined> {
  const { endpoint, path, quoted } = request;
  const quote = await stack.accounts.quote(apiKey, { endpoint, body: quoted });
  const raw = { path, key: apiKey, agent, ...(await request.send()) };
  const { status, headers, text } = await fullResponse(stack.baseUrl, raw);
  const refusal = quote.valid ? (quote.is_affordable ? undefined : 402) : quote.errors?.[0]?.status;
  if (status !== (refusal ?? (path === TASKS_PATH ? 202 : 200)))
    return `${status}: ${shownOf(request)} ${JSON.stringify(quote.errors)} ${text.slice(0, 300)}`;
  if (refusal !== undefined) return undefined;
  return { requestId: String(headers['x-request-id']), quotedNanoUsd: nanoOf(quote.hold_usd), request };
}

async function sendAll(stack: TestStack, entry: ModelEntry, seed: number, agent: Agent): Promise<SentRequests> {
  const customer = await stack.createCustomer({ creditUsd: '100000', limits: { rpm: 0, concurrency: 0 } });
  const random = seededRandom(seed);
  const plain = drawBillable({ ...random, chance: () => false }, entry);
  const rounds = Array.from({ length: ROUNDS }, () => drawBillable(random, entry));
  const [accepted, different]: [Accepted[], string[]] = [[], []];
  for (const request of [...plain, ...rounds.flat()]) {
    const result = await sendQuoted(stack, customer, agent, request);
    if (typeof result === 'string') different.push(result);
    else if (result !== undefined) accepted.push(result);
    else if (plain.includes(request)) different.push(`refused: ${shownOf(request)}`);
  }
  return { entry, customer, accepted, different };
}

/** Sends random requests to each model, a few models at once. The same requests in every run. */
export async function sendToEach(
  stack: TestStack,
  entries: readonly ModelEntry[],
  agent: Agent,
): Promise<readonly SentRequests[]> {
  const sent: SentRequests[] = [];
  const waiting = [...entries.entries()];
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      sent.push(await sendAll(stack, next[1], next[0], agent));
  };
  await Promise.all(Array.from({ length: MODELS_AT_ONCE }, runNext));
  return sent;
}

/** Waits for the settlement of each request; videos take as long as their tasks. */
const settlementsOf = (stack: TestStack, { customer, accepted }: SentRequests): Promise<readonly SettlementRow[]> =>
  eventually(
    async () => {
      const rows = await stack.ledger.settlements(customer.accountId);
      expect(rows).toHaveLength(accepted.length);
      return rows;
    },
    { withinMs: TASKS_WITHIN_MS, intervalMs: 100 },
  );

/** The requests whose hold is not their quote's, or whose charge or vendor's bill is above it. */
export async function findUncovered(stack: TestStack, sent: readonly SentRequests[], since: number) {
  const rows = new Map<string, SettlementRow>();
  for (const one of sent) for (const row of await settlementsOf(stack, one)) rows.set(row.requestId, row);
  const calls = new Map((await stack.simulator.closedJournal(since)).map((call) => [call.upstream_id, call]));
  const all = sent.flatMap(({ entry, accepted }) => accepted.map((one) => amountsOf(entry, one, { rows, calls })));
  const billed = all.filter(({ billedNanoUsd }) => billedNanoUsd > 0n);
  return {
    uncovered: all.filter(isUncovered),
    billedEndpoints: [...new Set(billed.map(({ endpoint }) => endpoint))].sort(),
  };
}

interface Records {
  readonly rows: ReadonlyMap<string, SettlementRow>;
  readonly calls: ReadonlyMap<string | null, JournalEntry>;
}

type Amounts = ReturnType<typeof amountsOf>;

const isUncovered = ({ quotedNanoUsd, holdNanoUsd, costNanoUsd, billedNanoUsd }: Amounts): boolean =>
  holdNanoUsd !== quotedNanoUsd || costNanoUsd > holdNanoUsd || billedNanoUsd > holdNanoUsd;

/** What a request was quoted, held, charged, and billed by its vendor at the model's published price. */
function amountsOf(entry: ModelEntry, { requestId, quotedNanoUsd, request }: Accepted, { rows, calls }: Records) {
  const row = rows.get(requestId);
  if (row === undefined) throw new Error(`no settlement of ${shownOf(request)}`);
  const { holdNanoUsd, costNanoUsd, attempts } = row;
  const ids = request.path === TASKS_PATH ? [] : attempts.flatMap(({ upstreamId }) => upstreamId ?? []);
  const bills = ids.flatMap((id) => calls.get(id)?.billed ?? []);
  const billedNanoUsd = bills.reduce((sum, billed) => sum + expectedCost(entry, billed), 0n);
  const shown = shownOf(request);
  return { endpoint: request.endpoint, shown, quotedNanoUsd, holdNanoUsd, costNanoUsd, billedNanoUsd };
}
