import type { Agent } from 'node:http';
import type { ModelEntry } from '@gateway/contracts';
import {
  type Customer,
  eventually,
  expectedCost,
  fullResponse,
  type InvoiceUsage,
  type JournalEntry,
  nanoOf,
  type SettlementRow,
  seededRandom,
  type TestStack,
} from '@gateway/testing';
import { expect } from '@jest/globals';
import { Batches, lineOf } from '../batches/batches.js';
import { openResponsesSocket } from '../support/responses-socket.js';
import { type BillableRequest, drawBillable } from './billable-requests.js';

/** Random requests of each model at each of its endpoints, after one without optional fields. */
const ROUNDS = 2;
const MODELS_AT_ONCE = 6;
const TASKS_WITHIN_MS = 120_000;
const TASKS_PATH = '/v1/videos/generations';
const RERANK_PATH = '/v1/rerank';
/** A batch has requests of one endpoint. It is charged like each of its lines. */
const BATCH_PATHS = ['/v1/chat/completions', '/v1/completions', '/v1/embeddings', '/v1/responses'] as const;
/** Too little for some requests, and for the longest output of most. */
const LOW_BALANCES_USD = ['0.0005', '0.005', '0.05', '0.5'];

/** Where the vendor's bill of at least one request is found. */
export const BILLED_ENDPOINTS = [
  '/v1/audio/speech',
  '/v1/audio/transcriptions',
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/v1/images/edits',
  '/v1/images/generations',
  '/v1/messages',
  RERANK_PATH,
  '/v1/responses',
  '/v1/responses/compact',
  TASKS_PATH,
  '/v1beta/models/{model}:batchEmbedContents',
  '/v1beta/models/{model}:embedContent',
  '/v1beta/models/{model}:generateContent',
  '/v1beta/models/{model}:streamGenerateContent',
];

/** An accepted request, and the hold of its quote. Undefined: other requests ran beside it, so its quote may differ. */
interface Accepted {
  readonly requestId: string;
  readonly quotedNanoUsd: bigint | undefined;
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
  const { status, requestId, text } = await sendOne(stack, apiKey, agent, request);
  const refusal = quote.valid ? (quote.is_affordable ? undefined : 402) : quote.errors?.[0]?.status;
  if (status !== (refusal ?? (path === TASKS_PATH ? 202 : 200)))
    return `${status}: ${shownOf(request)} ${JSON.stringify(quote.errors)} ${text.slice(0, 300)}`;
  if (refusal !== undefined) return undefined;
  return { requestId, quotedNanoUsd: nanoOf(quote.hold_usd), request };
}

/** Sends a request over HTTP, or as a turn of a socket. */
async function sendOne(stack: TestStack, apiKey: string, agent: Agent, request: BillableRequest) {
  const { path, turn } = request;
  if (turn === undefined) {
    const raw = { path, key: apiKey, agent, ...(await request.send()) };
    const { status, headers, text } = await fullResponse(stack.baseUrl, raw);
    return { status, requestId: String(headers['x-request-id']), text, filled: headers['x-gateway-filled'] };
  }
  const socket = await openResponsesSocket(stack.baseUrl, apiKey);
  const last = (await socket.turn(turn)).at(-1);
  socket.socket.close();
  const requestId = String(last?.response?.id).replace('resp_', 'req_');
  return { status: last?.type === 'error' ? last.status : 200, requestId, text: JSON.stringify(last) };
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

/** A few models at once. */
async function runEach(
  entries: readonly ModelEntry[],
  run: (entry: ModelEntry, seed: number) => Promise<void>,
): Promise<void> {
  const waiting = [...entries.entries()];
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: MODELS_AT_ONCE }, runNext));
}

/** What accounts with little money got. */
export interface PoorRequests {
  readonly sent: readonly SentRequests[];
  readonly refused: number;
  /** Served with a cap on the output that the client had not given. */
  readonly capped: number;
}

/** Sends random requests to one model at once. */
async function sendAllPoorly(stack: TestStack, entry: ModelEntry, seed: number, agent: Agent) {
  const random = seededRandom(seed);
  const creditUsd = random.pick(LOW_BALANCES_USD);
  const customer = await stack.createCustomer({ creditUsd, limits: { rpm: 0, concurrency: 0 } });
  const requests = drawBillable(random, entry);
  const responses = await Promise.all(
    requests.map(async (request) => ({ request, ...(await sendOne(stack, customer.apiKey, agent, request)) })),
  );
  const served = responses.filter(({ status }) => status === 200 || status === 202);
  const accepted = served.map(({ requestId, request }) => ({ requestId, quotedNanoUsd: undefined, request }));
  const different = responses
    .filter(({ status }) => ![200, 202, 400, 402].includes(Number(status)))
    .map(({ status, request, text }) => `${status}: ${shownOf(request)} ${text.slice(0, 300)}`);
  return {
    sent: { entry, customer, accepted, different },
    refused: responses.filter(({ status }) => status === 402).length,
    capped: served.filter(({ filled }) => /max_\w*tokens=/i.test(String(filled))).length,
  };
}

/** Sends random requests to each model, from accounts that cannot pay for all of them. */
export async function sendPoorly(
  stack: TestStack,
  entries: readonly ModelEntry[],
  agent: Agent,
): Promise<PoorRequests> {
  const results: Awaited<ReturnType<typeof sendAllPoorly>>[] = [];
  await runEach(entries, async (entry, seed) => {
    results.push(await sendAllPoorly(stack, entry, seed, agent));
  });
  const sumOf = (name: 'refused' | 'capped') => results.reduce((sum, result) => sum + result[name], 0);
  return { sent: results.map(({ sent }) => sent), refused: sumOf('refused'), capped: sumOf('capped') };
}

/** Sends a random request of each model as a line of a batch, a batch for each endpoint. */
export async function sendInBatches(
  stack: TestStack,
  entries: readonly ModelEntry[],
): Promise<readonly SentRequests[]> {
  const customer = await stack.createCustomer({ creditUsd: '100000', limits: { rpm: 0, concurrency: 0 } });
  const batches = new Batches(stack, customer);
  const send = async (path: (typeof BATCH_PATHS)[number]): Promise<readonly SentRequests[]> => {
    const random = seededRandom(BATCH_PATHS.indexOf(path));
    const requests = entries.flatMap((entry) =>
      drawBillable(random, entry)
        .filter((request) => request.path === path && request.turn === undefined)
        .map((request) => ({ entry, request: { ...request, quoted: { ...request.quoted, stream: undefined } } })),
    );
    const lines = requests.map(({ request }, at) => lineOf(String(at), request.quoted, path));
    const batch = await batches.until(await batches.create(lines, { endpoint: path }), 'completed', TASKS_WITHIN_MS);
    const results = [...(await batches.results(batch.output_file_id)), ...(await batches.results(batch.error_file_id))];
    return Promise.all(
      results.map(async ({ custom_id, response, error }): Promise<SentRequests> => {
        const { entry, request } = requests[Number(custom_id)] as (typeof requests)[number];
        const quote = await stack.accounts.quote(customer.apiKey, { endpoint: path, body: request.quoted });
        if (response?.status_code !== 200) {
          const different = quote.valid ? [`${JSON.stringify(response ?? error)}: ${shownOf(request)}`] : [];
          return { entry, customer, accepted: [], different };
        }
        const accepted = { requestId: response.request_id, quotedNanoUsd: nanoOf(quote.hold_usd), request };
        return { entry, customer, accepted: [accepted], different: [] };
      }),
    );
  };
  return (await Promise.all(BATCH_PATHS.map(send))).flat();
}

/** Sends random requests to each model, a few models at once. The same requests in every run. */
export async function sendToEach(
  stack: TestStack,
  entries: readonly ModelEntry[],
  agent: Agent,
): Promise<readonly SentRequests[]> {
  const sent: SentRequests[] = [];
  await runEach(entries, async (entry, seed) => {
    sent.push(await sendAll(stack, entry, seed, agent));
  });
  return sent;
}

/** Waits for the settlements of a customer's requests; videos take as long as their tasks. */
const settlementsOf = (stack: TestStack, customer: Customer, count: number): Promise<readonly SettlementRow[]> =>
  eventually(
    async () => {
      const rows = await stack.ledger.settlements(customer.accountId);
      expect(rows).toHaveLength(count);
      return rows;
    },
    { withinMs: TASKS_WITHIN_MS, intervalMs: 100 },
  );

/** A vendor of ranks names no answer: its bills are in the order of the requests, which one model gets one by one. */
function billsOfRanks(sent: readonly SentRequests[], journal: readonly JournalEntry[]) {
  const bills = new Map<string, InvoiceUsage | null>();
  for (const id of new Set(sent.map(({ entry }) => entry.id))) {
    const accepted = sent.flatMap((one) => (one.entry.id === id ? one.accepted : []));
    const ranks = accepted.filter(({ request }) => request.path === RERANK_PATH);
    if (ranks.length === 0) continue;
    const calls = journal.filter(({ path, model }) => path.endsWith('/rerank') && `vg-${model}` === id);
    expect(calls).toHaveLength(ranks.length);
    for (const [at, { requestId }] of ranks.entries()) bills.set(requestId, calls[at]?.billed ?? null);
  }
  return bills;
}

/** The requests whose hold is not their quote's, or whose charge or vendor's bill is above it. */
export async function findUncovered(stack: TestStack, sent: readonly SentRequests[], since: number) {
  const counts = new Map<Customer, number>();
  for (const { customer, accepted } of sent) counts.set(customer, (counts.get(customer) ?? 0) + accepted.length);
  const rows = new Map<string, SettlementRow>();
  for (const [customer, count] of counts)
    for (const row of await settlementsOf(stack, customer, count)) rows.set(row.requestId, row);
  const journal = await stack.simulator.closedJournal(since);
  const ranks = billsOfRanks(sent, journal);
  // The polls of a task have its id, and no bill.
  const named = journal.filter(({ billed }) => billed !== null);
  const calls = new Map(named.map((call) => [call.upstream_id, call]));
  const all = sent.flatMap(({ entry, accepted }) =>
    accepted.map((one) => amountsOf(entry, one, { rows, calls, ranks })),
  );
  const billed = all.filter(({ billedNanoUsd }) => billedNanoUsd > 0n);
  return {
    uncovered: all.filter(isUncovered),
    billedEndpoints: [...new Set(billed.map(({ endpoint }) => endpoint))].sort(),
  };
}

interface Records {
  readonly rows: ReadonlyMap<string, SettlementRow>;
  readonly calls: ReadonlyMap<string | null, JournalEntry>;
  /** By the id of the request. */
  readonly ranks: ReadonlyMap<string, InvoiceUsage | null>;
}

type Amounts = ReturnType<typeof amountsOf>;

const isUncovered = ({ quotedNanoUsd, holdNanoUsd, costNanoUsd, billedNanoUsd }: Amounts): boolean =>
  (quotedNanoUsd !== undefined && holdNanoUsd !== quotedNanoUsd) ||
  costNanoUsd > holdNanoUsd ||
  billedNanoUsd > holdNanoUsd;

/** A vendor's bill of a video has units that its price leaves out by decision, such as seconds of references. */
function pricedPart(entry: ModelEntry, billed: InvoiceUsage): InvoiceUsage {
  const units = Object.entries(billed.units ?? {}).filter(([unit]) => unit in entry.pricing.per_million);
  return { ...billed, units: Object.fromEntries(units) };
}

/** What a request was quoted, held, charged, and billed by its vendor at the model's published price. */
function amountsOf(
  entry: ModelEntry,
  { requestId, quotedNanoUsd, request }: Accepted,
  { rows, calls, ranks }: Records,
) {
  const row = rows.get(requestId);
  if (row === undefined) throw new Error(`no settlement of ${requestId} ${shownOf(request)}`);
  const { holdNanoUsd, costNanoUsd, attempts } = row;
  const ids = attempts.flatMap(({ upstreamId }) => upstreamId ?? []);
  const bills = [...ids.flatMap((id) => calls.get(id)?.billed ?? []), ranks.get(requestId) ?? []].flat();
  const priced = request.path === TASKS_PATH ? bills.map((billed) => pricedPart(entry, billed)) : bills;
  const billedNanoUsd = priced.reduce((sum, billed) => sum + expectedCost(entry, billed), 0n);
  const shown = shownOf(request);
  return { endpoint: request.endpoint, shown, quotedNanoUsd, holdNanoUsd, costNanoUsd, billedNanoUsd };
}
