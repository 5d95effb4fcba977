import {
  type AccountId,
  type Batch,
  type BatchError,
  batchError,
  ENDPOINTS,
  GatewayError,
  type KeyRecord,
} from '@gateway/contracts';
import { BatchInputCheck, type InputLine, ownBytes, parseLine, splitLines } from '@gateway/intake';
import { formatUsd } from '@gateway/money';
import type { ThreadPool } from '@gateway/threads';
import { Inject, Injectable } from '@nestjs/common';
import { ModelAccess } from '../../admit/model-access.service.js';
import { THREADS } from '../../tokens.js';
import type { LinesToQuote, QuotedLine } from './quote-lines.js';

/** What one call of a thread gets: a few milliseconds of work, so that bodies of requests do not wait long behind it. */
const CALL_BYTES = 256 * 1024;
const CALL_LINES = 200;
/** More errors help no reader. */
const MAX_ERRORS = 20;
const RETRY_MS = 2_000;
/** Each needs memory for some of its lines. */
const MAX_INPUTS = 16;

interface Amounts {
  lines: number;
  likelyNanoUsd: bigint;
  mostNanoUsd: bigint;
}

export interface InputToQuote {
  readonly fileId: string;
  readonly endpoint: Batch['endpoint'];
  readonly chunks: AsyncIterable<Buffer>;
  /** True: the client has left. */
  readonly isLeft: () => boolean;
}

/**
 * Prices all lines of an input by the rules of admission, in a thread. An account has one input at a time, and the inputs
 * of several accounts take turns: together they take no more of a processor than one.
 */
@Injectable()
export class QuoteBatch {
  readonly #running = new Set<AccountId>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(THREADS) private readonly threads: Pick<ThreadPool, 'run'>,
    private readonly models: ModelAccess,
  ) {}

  /** Throws 429 while another input of the account is being priced, or too many of others. */
  async quote(key: KeyRecord, input: InputToQuote) {
    const { accountId } = key;
    if (this.#running.has(accountId)) throw busy('Another batch of your account is being quoted. Try again shortly.');
    if (this.#running.size >= MAX_INPUTS) throw busy('Too many batches are being quoted. Try again shortly.');
    this.#running.add(accountId);
    try {
      return await this.#quote(key, input);
    } finally {
      this.#running.delete(accountId);
    }
  }

  /** One call after the other. An input has one call at a time, so another input waits for one call of each. */
  #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(run);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #quote(key: KeyRecord, { fileId, endpoint, chunks, isLeft }: InputToQuote) {
    const rules = { endpoint, scope: this.models.scopeOf(key), priceOverrides: key.priceOverrides };
    const sum = new QuoteSum(key.isTest);
    for await (const lines of callsOf(splitLines(chunks))) {
      if (isLeft()) break;
      const call = { ...rules, ...joined(lines) };
      const quoted = await this.#inTurn(() => this.threads.run<readonly QuotedLine[]>('quoteLines', call));
      if (![...quoted, ...tooLong(lines, endpoint)].every((line) => sum.add(line))) break;
    }
    return { object: 'batch.quote' as const, input_file_id: fileId, endpoint: ENDPOINTS[endpoint].path, ...sum.end() };
  }
}

const busy = (message: string): GatewayError =>
  new GatewayError('rate_limit_exceeded', message, { retryAfterMs: RETRY_MS });

async function* callsOf(lines: AsyncIterable<InputLine>): AsyncGenerator<readonly InputLine[]> {
  let call: InputLine[] = [];
  let bytes = 0;
  for await (const line of lines) {
    call.push(line);
    bytes += line.bytes?.length ?? 0;
    if (bytes < CALL_BYTES && call.length < CALL_LINES) continue;
    yield call;
    call = [];
    bytes = 0;
  }
  if (call.length > 0) yield call;
}

function joined(lines: readonly InputLine[]): Pick<LinesToQuote, 'bytes' | 'lines'> {
  let start = 0;
  const places = lines.flatMap(({ number, bytes }) => {
    if (bytes === undefined) return [];
    const place = { number, start, end: start + bytes.length };
    start = place.end;
    return [place];
  });
  return { bytes: ownBytes(Buffer.concat(lines.flatMap(({ bytes }) => bytes ?? []))), lines: places };
}

/** Lines that are too long are not kept, so no thread can read them. */
const tooLong = (lines: readonly InputLine[], endpoint: Batch['endpoint']): readonly QuotedLine[] =>
  lines.flatMap((line) => {
    if (line.bytes !== undefined) return [];
    const parsed = parseLine(line, ENDPOINTS[endpoint].path);
    if (!('wrong' in parsed)) return [];
    const { code, message, param } = parsed.wrong;
    return [{ number: line.number, customId: null, wrong: batchError(code, message, { param, line: line.number }) }];
  });

/** What all lines cost together. */
class QuoteSum {
  readonly #check = new BatchInputCheck();
  readonly #byModel = new Map<string, Amounts>();
  readonly #wrong: BatchError[] = [];
  #wrongLines = 0;

  constructor(private readonly isTest: boolean) {}

  /** False: the input is too long for a batch. */
  add(line: QuotedLine): boolean {
    const isRead = this.#check.add(line.number, line.customId);
    if ('wrong' in line) {
      this.#wrongLines += 1;
      if (this.#wrong.length < MAX_ERRORS) this.#wrong.push(line.wrong);
      return isRead;
    }
    const amounts = this.#byModel.get(line.model) ?? { lines: 0, likelyNanoUsd: 0n, mostNanoUsd: 0n };
    amounts.lines += 1;
    amounts.likelyNanoUsd += line.likelyNanoUsd;
    amounts.mostNanoUsd += line.mostNanoUsd;
    this.#byModel.set(line.model, amounts);
    return isRead;
  }

  /** An input that would be refused as a whole is not valid; its lines are counted as far as they were read. */
  end() {
    const checked = this.#check.end();
    const refusals = 'errors' in checked ? checked.errors : [];
    const models = [...this.#byModel].map(([model, amounts]) => ({
      model,
      lines: amounts.lines,
      ...this.#usd(amounts),
    }));
    const valid = models.reduce((sum, { lines }) => sum + lines, 0);
    const all = [...this.#byModel.values()];
    const likelyNanoUsd = all.reduce((sum, amounts) => sum + amounts.likelyNanoUsd, 0n);
    const mostNanoUsd = all.reduce((sum, amounts) => sum + amounts.mostNanoUsd, 0n);
    return {
      valid: refusals.length === 0,
      request_counts: { total: valid + this.#wrongLines, valid, wrong: this.#wrongLines },
      ...this.#usd({ likelyNanoUsd, mostNanoUsd }),
      models,
      errors: { object: 'list' as const, data: [...refusals, ...this.#wrong] },
    };
  }

  #usd({ likelyNanoUsd, mostNanoUsd }: Omit<Amounts, 'lines'>) {
    const shown = (amount: bigint): string => formatUsd(this.isTest ? 0n : amount);
    return { likely_usd: shown(likelyNanoUsd), most_usd: shown(mostNanoUsd) };
  }
}
