import { modelAt, priceAt, usageCost } from '@gateway/catalogue';
import { CHAT_PROTOCOL_IDS, type ChatProtocolId, type Usage } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { PassThroughMessagesCall, StreamReader } from '../protocol.js';
import { PASS_THROUGH_MESSAGES } from '../registry.js';
import { CHAT_ADAPTERS } from './adapters.js';
import { ANY_MODEL, smallCall } from './calls.js';
import { readCut } from './read-cut.js';
import { type RecordedAnswer, recordedAnswers, recordedErrors, streamBytes } from './recorded-answers.js';

const AT_MS = Date.parse('2026-10-15');

/** Public models of the vendor's names in `usage.iterations`. */
const PUBLIC_MODELS: Readonly<Record<string, string>> = {
  'claude-opus-4-7': 'cl-opus-4-7',
  'claude-opus-4-8': 'cl-opus-4-7',
};

function costAt(publicModel: string, usage: Pick<Usage, 'units' | 'inputTokensTotal'>): bigint {
  const model = modelAt(publicModel, AT_MS);
  const price = model && priceAt(model, AT_MS);
  if (price === undefined) throw new Error(`no price of ${publicModel}`);
  return usageCost(usage, price);
}

/** What the usage costs by the catalogue, each call of the vendor at its own model. */
const costOf = (publicModel: string, usage: Usage): bigint =>
  (usage.apart ?? []).reduce(
    (sum, entry) => sum + costAt(PUBLIC_MODELS[entry.model ?? ''] ?? publicModel, entry),
    costAt(publicModel, usage),
  );

interface ClientCall {
  readonly index?: number;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

interface ClientChoice {
  readonly delta?: { readonly content?: string | null; readonly tool_calls?: readonly ClientCall[] };
  readonly message?: { readonly content?: string | null; readonly tool_calls?: readonly ClientCall[] };
  readonly finish_reason?: string | null;
}

/** The client's view of a completion or of its chunks. */
function readClient(parts: readonly { readonly choices?: readonly ClientChoice[] }[]) {
  const calls: { name: string; text: string }[] = [];
  let text = '';
  let finish: string | null = null;
  for (const { message, delta = message, finish_reason = null } of parts.flatMap(({ choices = [] }) => choices)) {
    text += delta?.content ?? '';
    finish = finish_reason ?? finish;
    (delta?.tool_calls ?? []).forEach(({ index, function: called }, at) => {
      const { name, text: json } = calls[index ?? at] ?? { name: '', text: '' };
      calls[index ?? at] = { name: name + (called?.name ?? ''), text: json + (called?.arguments ?? '') };
    });
  }
  const toolCalls = calls.map(({ name, text: json }) => ({ name, arguments: JSON.parse(json || '{}') as unknown }));
  return { text, toolCalls, finish };
}

const parseChunks = (text: string) =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)) as { choices?: ClientChoice[] });

/** The end for the client by the vendor's word; a tool call is an end of its own. */
const FINISH: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop: 'stop',
  STOP: 'stop',
  completed: 'stop',
  refusal: 'content_filter',
  tool_use: 'tool_calls',
  tool_calls: 'tool_calls',
};

const finishOf = ({ expected }: RecordedAnswer): string | undefined =>
  expected.toolCalls.length > 0 ? 'tool_calls' : FINISH[expected.stop];

function expectClient(answer: RecordedAnswer, parts: Parameters<typeof readClient>[0]): void {
  const { text, toolCalls } = answer.expected;
  expect(readClient(parts)).toEqual({ text, toolCalls, finish: finishOf(answer) });
}

function expectMoney({ expected, pricedAs }: RecordedAnswer, usage: Usage, withSearches = false): void {
  const searches = withSearches && expected.searches !== undefined ? { web_search: expected.searches } : {};
  // Calls of the vendor's own may stand apart from the top-level units.
  if (expected.isIterated !== true) {
    const counted = Object.entries(usage.units).filter(([, count]) => count > 0);
    expect(Object.fromEntries(counted)).toEqual({ ...expected.units, ...searches });
  }
  expect(usage.isEstimated).toBe(false);
  const digits = withSearches ? (expected.nanoUsdWithSearches ?? expected.nanoUsd) : expected.nanoUsd;
  expect(costOf(pricedAs, usage)).toBe(BigInt(digits));
}

/** Reads at every cut: all results must equal the one of single bytes. */
function readAtEveryCut(open: () => StreamReader, bytes: Buffer): { readonly written: string; readonly usage: Usage } {
  const byByte = open();
  const written = readCut(byByte, bytes, [...bytes.keys()]);
  const usage = byByte.usage();
  const different: number[] = [];
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const reader = open();
    const isSame = readCut(reader, bytes, [cut]) === written;
    if (!isSame || JSON.stringify(reader.usage()) !== JSON.stringify(usage)) different.push(cut);
  }
  expect(different).toEqual([]);
  return { written, usage };
}

const wholeOf = (protocol: ChatProtocolId) => recordedAnswers(protocol).filter(([, { body }]) => body !== undefined);
const streamsOf = (protocol: ChatProtocolId) =>
  recordedAnswers(protocol).filter(([, { events }]) => events !== undefined);

describe.each(CHAT_PROTOCOL_IDS)('recorded answers of %s', (id) => {
  const protocol = CHAT_ADAPTERS[id];

  it.each(wholeOf(id))('are read whole: %s', (_name, answer) => {
    const { body, usage } = protocol.readReply(Buffer.from(JSON.stringify(answer.body)), smallCall(ANY_MODEL[id]));
    expectClient(answer, [JSON.parse(Buffer.from(body).toString('utf8'))]);
    expectMoney(answer, usage);
  });

  it.each(streamsOf(id))('are read at every cut: %s', (_name, answer) => {
    const call = smallCall(ANY_MODEL[id], { stream: true });
    const { written, usage } = readAtEveryCut(() => protocol.openReader(call), streamBytes(id, answer));
    expectClient(answer, parseChunks(written));
    expectMoney(answer, usage);
  });
});

describe('recorded answers that pass through', () => {
  const id = 'anthropic-messages';
  const adapter = PASS_THROUGH_MESSAGES[id]?.create;
  if (adapter === undefined) throw new Error(`${id} does not pass through`);

  const callOf = ({ pricedAs }: RecordedAnswer, streams: boolean): PassThroughMessagesCall => ({
    body: Buffer.from('{"model":"cl-sonnet-4-6","max_tokens":9,"messages":[{"role":"user","content":"Say hi"}]}'),
    streams,
    publicModel: pricedAs,
    forward: { headers: {}, query: '' },
  });

  it.each(wholeOf(id))('are read whole: %s', (_name, answer) => {
    const { usage } = adapter.readReply(Buffer.from(JSON.stringify(answer.body)), callOf(answer, false));
    expectMoney(answer, usage, true);
  });

  it.each(streamsOf(id))('are read at every cut: %s', (_name, answer) => {
    const call = callOf(answer, true);
    const { usage } = readAtEveryCut(() => adapter.openReader(call), streamBytes(id, answer));
    expectMoney(answer, usage, true);
  });
});

describe('recorded errors', () => {
  it.each(recordedErrors().map((error) => [error.source, error] as const))('are classified: %s', (_source, error) => {
    const body = Buffer.from(JSON.stringify(error.body));
    const { kind } = CHAT_ADAPTERS[error.protocol].readFailure({ status: error.status, headers: {}, body });
    expect(kind).toBe(error.kind);
  });
});
