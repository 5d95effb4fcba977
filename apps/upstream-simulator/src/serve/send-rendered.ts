import type { InvoiceUsage } from '../count/tokens.js';
import type { Directives } from '../directives/directives.js';
import type { RenderedReply, VendorEmulator } from '../vendors/vendor-emulator.js';
import { applyDirectives, sendWhole } from './apply-directives.js';
import type { Exchange } from './exchange.js';

type Stream = NonNullable<RenderedReply['stream']>;

const isLost = ({ acceptsThenDrops, acceptsThenHangs, acceptsThenStatus }: Directives): boolean =>
  acceptsThenDrops === true || acceptsThenHangs === true || acceptsThenStatus !== undefined;

/** The work is done and billed, but the client gets no result. */
const lose = (exchange: Exchange, emulator: VendorEmulator, directives: Directives, usage: InvoiceUsage | null) => {
  if (directives.acceptsThenHangs === true) {
    exchange.hang(() => usage);
  } else if (directives.acceptsThenDrops === true) {
    exchange.cut('', usage);
  } else {
    const { status, headers, body } = emulator.errorOf({ status: directives.acceptsThenStatus ?? 500 });
    exchange.send(status, headers, body, usage);
  }
};

const playWhole = (exchange: Exchange, emulator: VendorEmulator, reply: RenderedReply): void => {
  const { directives, headers, usage, status = 200 } = reply;
  const body = reply.whole();
  if (isLost(directives)) lose(exchange, emulator, directives, usage);
  else sendWhole(exchange, directives, { status, headers, body, usage });
};

/** The vendor's work has begun: a stream's first frame, or a whole response, is billed whether or not a client reads it. */
const usageAtStart = ({ usage, stream }: RenderedReply): InvoiceUsage | null =>
  stream === undefined ? usage : (stream.frames[0]?.billed ?? null);

/** Writes frames `chunk_ms` apart. */
class FramePlayer {
  #next = 0;
  #billed: InvoiceUsage | null = null;

  constructor(
    private readonly exchange: Exchange,
    private readonly reply: RenderedReply,
    private readonly stream: Stream,
  ) {}

  start(): void {
    this.exchange.response.writeHead(200, { 'content-type': 'text/event-stream', ...this.reply.headers });
    this.exchange.watch(() => this.#billed ?? usageAtStart(this.reply));
    this.#step();
  }

  readonly #step = (): void => {
    const { cutAfter, hangAfter, errorAfter, isGarbage, chunkMs } = this.reply.directives;
    if (this.exchange.isOver) return;
    if (isGarbage === true) {
      this.exchange.end('data: {"type":"image_gen\n\n', null);
    } else if (this.#next === cutAfter) {
      this.exchange.cut('', this.#billed);
    } else if (this.#next === errorAfter) {
      this.exchange.end(this.stream.fail(), this.#billed);
    } else if (this.#next === hangAfter) {
      this.exchange.response.flushHeaders();
      this.exchange.hang(() => this.#billed ?? usageAtStart(this.reply));
    } else {
      this.#frame(this.exchange.paceOf(chunkMs ?? 0, this.stream.frames.length));
    }
  };

  #frame(pauseMs: number): void {
    const frame = this.stream.frames[this.#next];
    if (frame === undefined) {
      this.exchange.end(this.stream.close(), this.reply.usage);
      return;
    }
    this.#next += 1;
    this.#billed = frame.billed;
    if (this.exchange.response.write(frame.text())) {
      setTimeout(this.#step, pauseMs);
    } else {
      this.exchange.response.once('drain', this.#step);
    }
  }
}

export const sendRendered = (exchange: Exchange, emulator: VendorEmulator, reply: RenderedReply): void => {
  const { directives, stream } = reply;
  applyDirectives(exchange, emulator, directives, {
    stream: stream && (() => new FramePlayer(exchange, reply, stream).start()),
    whole: () => playWhole(exchange, emulator, reply),
    usageAtStart: usageAtStart(reply),
  });
};
