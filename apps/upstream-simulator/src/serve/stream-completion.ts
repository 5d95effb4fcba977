import { type Chunk, splitChunks } from '../completion/chunks.js';
import { type InvoiceUsage, invoiceUsage, outputTokensOf, tokensOfQuarters } from '../count/tokens.js';
import type { Directives } from '../directives/directives.js';
import type { CompletionReply, StreamScript, VendorEmulator } from '../vendors/vendor-emulator.js';
import { applyDirectives, sendWhole } from './apply-directives.js';
import type { Exchange } from './exchange.js';

/** Buffer size before a write, if the chunks have no `chunk_ms`. */
const WRITE_BYTES = 16_384;
const wholeUsage = ({ completion: { counts } }: CompletionReply): InvoiceUsage =>
  invoiceUsage(counts, outputTokensOf(counts));

type Ending = 'whole' | 'cut' | 'silence' | 'error' | 'garbage';
type Plan = Readonly<{ ending: Ending; chunks: number }>;

const planOf = (directives: Directives, available: number): Plan => {
  if (directives.isGarbage === true) return { ending: 'garbage', chunks: 0 };
  const orders: readonly [Ending, number | undefined][] = [
    ['cut', directives.cutAfter],
    ['silence', directives.hangAfter],
    ['error', directives.errorAfter],
  ];
  for (const [ending, chunks] of orders) {
    if (chunks !== undefined) return { ending, chunks: Math.min(chunks, available) };
  }
  return { ending: 'whole', chunks: available };
};

/** Hidden thinking is done, and billed, before the first chunk; so are searches. */
const usageAfter = ({ completion: { counts, thinking } }: CompletionReply, writtenQuarters: number): InvoiceUsage =>
  invoiceUsage(
    counts,
    tokensOfQuarters(writtenQuarters) + (thinking === '' ? counts.reasoningTokens : 0) + (counts.serverCallTokens ?? 0),
  );

/** Without a stream the vendor finishes the response, even if no client reads it. */
const usageAtStart = (reply: CompletionReply): InvoiceUsage =>
  reply.isStream ? usageAfter(reply, 0) : wholeUsage(reply);

/** Streams one completion, at its `chunk_ms` or as fast as the client reads. */
class StreamPlayer {
  readonly #script: StreamScript;
  readonly #chunks: readonly Chunk[];
  readonly #plan: Plan;
  readonly #chunkMs: number;
  #next = 0;
  /** Of the text that was written to the socket. */
  #writtenQuarters = 0;
  #gatheredQuarters = 0;
  #gathered = '';
  #startedAtMs = 0;

  constructor(
    private readonly exchange: Exchange,
    private readonly reply: CompletionReply,
  ) {
    this.#script = reply.openStream();
    this.#chunks = splitChunks(reply.completion, reply.directives, reply.sendsToolCallsWhole);
    this.#plan = planOf(reply.directives, this.#chunks.length);
    this.#chunkMs = exchange.paceOf(reply.directives.chunkMs ?? 0, this.#plan.chunks);
  }

  start(): void {
    this.exchange.response.writeHead(200, { 'content-type': 'text/event-stream', ...this.reply.headers });
    this.#gathered = this.#script.open();
    if (this.#chunkMs > 0) {
      this.exchange.watch(this.#usageSoFar);
      this.#startedAtMs = Date.now();
      this.#beat();
    } else {
      this.#pour();
    }
  }

  readonly #usageSoFar = (): InvoiceUsage => usageAfter(this.reply, this.#writtenQuarters);

  /** A vendor that breaks the stream before its first chunk bills nothing. */
  #usageWhenBroken(): InvoiceUsage | null {
    return this.#writtenQuarters === 0 ? null : this.#usageSoFar();
  }

  #gather(): void {
    const chunk = this.#chunks[this.#next];
    if (chunk !== undefined) {
      this.#next += 1;
      this.#gathered += this.#script.chunk(chunk);
      this.#gatheredQuarters += chunk.quarters;
    }
  }

  #flush(): boolean {
    const frames = this.#gathered;
    this.#gathered = '';
    this.#writtenQuarters += this.#gatheredQuarters;
    this.#gatheredQuarters = 0;
    return this.exchange.response.write(frames);
  }

  readonly #pour = (): void => {
    while (this.#next < this.#plan.chunks) {
      this.#gather();
      if (this.#gathered.length >= WRITE_BYTES && !this.#flush()) {
        this.exchange.watch(this.#usageSoFar);
        this.exchange.response.once('drain', this.#pour);
        return;
      }
    }
    this.#finish();
  };

  /** Schedules by the start time, so that delays do not add up. */
  readonly #beat = (): void => {
    if (this.exchange.isOver) return;
    this.#gather();
    if (this.#next >= this.#plan.chunks) {
      this.#finish();
      return;
    }
    const isTaken = this.#flush();
    const waitMs = this.#startedAtMs + this.#next * this.#chunkMs - Date.now();
    if (isTaken) {
      setTimeout(this.#beat, Math.max(1, waitMs));
    } else {
      this.exchange.response.once('drain', this.#beat);
    }
  };

  #finish(): void {
    const rest = this.#gathered;
    this.#writtenQuarters += this.#gatheredQuarters;
    const { exchange } = this;
    const endings: Readonly<Record<Ending, () => void>> = {
      whole: () => exchange.end(rest + this.#script.close(), wholeUsage(this.reply)),
      cut: () => exchange.cut(rest, this.#usageWhenBroken()),
      error: () => exchange.end(rest + this.#script.fail(), this.#usageWhenBroken()),
      garbage: () => exchange.end(rest + this.#brokenFrame(), null),
      silence: () => {
        exchange.hang(this.#usageSoFar);
        if (rest !== '') exchange.response.write(rest);
      },
    };
    endings[this.#plan.ending]();
  }

  /** A truncated frame of this protocol. */
  #brokenFrame(): string {
    const [chunk] = this.#chunks;
    const frame = chunk === undefined ? this.#script.close() : this.#script.chunk(chunk);
    return `${frame.slice(0, Math.floor((frame.length * 2) / 3))}\n\n`;
  }
}

const playWhole = (exchange: Exchange, reply: CompletionReply): void => {
  const { directives, headers } = reply;
  sendWhole(exchange, directives, { status: 200, headers, body: reply.whole(), usage: wholeUsage(reply) });
};

export const sendCompletion = (exchange: Exchange, emulator: VendorEmulator, reply: CompletionReply): void =>
  applyDirectives(exchange, emulator, reply.directives, {
    stream: reply.isStream ? () => new StreamPlayer(exchange, reply).start() : undefined,
    whole: () => playWhole(exchange, reply),
    usageAtStart: usageAtStart(reply),
  });
