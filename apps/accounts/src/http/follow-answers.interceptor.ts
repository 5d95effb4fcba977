import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@gateway/observability';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { AdminGuard } from '../guards/admin.guard.js';
import { verifiedCallerOf } from '../guards/caller.js';
import { LOGGER } from '../tokens.js';
import { KEEP_ALIVE, OpenStreams, STREAM_HEADERS } from './open-streams.service.js';

const EVENTS = 'text/event-stream';

/** How soon a change is sent. */
const ROUND_MS = 1_000;
/** A slow answer is read rarely: one follower takes at most a fifth of a connection to the stores. */
const REST = 4;

interface Rounds {
  readonly read: () => Promise<unknown>;
  readonly first: string;
  readonly signal: AbortSignal;
}

const eventOf = (text: string): string => `data: ${text}\n\n`;

/** The answer now, and again when it differs. Ends when the signal aborts; throws what a reading throws. */
async function* changes({ read, first, signal }: Rounds): AsyncGenerator<string> {
  yield eventOf(first);
  let sent = first;
  let tookMs = 0;
  for (;;) {
    await sleep(Math.max(ROUND_MS, REST * tookMs), undefined, { signal });
    const startedMs = performance.now();
    const text = JSON.stringify(await read());
    tookMs = performance.now() - startedMs;
    yield text === sent ? KEEP_ALIVE : eventOf(text);
    sent = text;
  }
}

/** Repeats an operator's read for a client that accepts server-sent events: the page then changes by itself. */
@Injectable()
export class FollowAnswers implements NestInterceptor {
  constructor(
    private readonly streams: OpenStreams,
    private readonly guard: AdminGuard,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    return headers.accept?.includes(EVENTS) === true ? from(this.#follow(context, next)) : next.handle();
  }

  /** The first answer is read before the head is sent, so that a wrong query is an error like any other. */
  async #follow(context: ExecutionContext, next: CallHandler): Promise<Readable> {
    const read = () => lastValueFrom(next.handle());
    const first = JSON.stringify(await read());
    const http = context.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const caller = verifiedCallerOf(http.getRequest<FastifyRequest>());
    const owner = `operator ${caller?.kind === 'administrator' ? caller.name : ''}`;
    const check = () => this.guard.canActivate(context);
    const signal = this.streams.begin({ owner, raw: reply.raw, check });
    reply.headers(STREAM_HEADERS);
    return Readable.from(this.#untilEnd({ read, first, signal }), { objectMode: false });
  }

  /** After a failed reading the client reconnects, and then gets the error. */
  async *#untilEnd(rounds: Rounds): AsyncGenerator<string> {
    try {
      yield* changes(rounds);
    } catch (error) {
      if (!rounds.signal.aborted) this.logger.warn({ err: error }, 'followed answer failed');
    }
  }
}

/** `GET` of operators with `Accept: text/event-stream`: the answer now, and again whenever it changes. */
export const Followable = () => applyDecorators(UseInterceptors(FollowAnswers));
