import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatUsd } from '@gateway/money';
import type { Logger } from '@gateway/observability';
import { BookedRequestsFeed } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { BalanceReader } from '../balance-reader.service.js';
import { eventView } from '../http/event-view.js';
import { requestLine } from '../http/request-line.js';
import { LOGGER } from '../tokens.js';
import { BookedInbox } from './booked-inbox.js';
import { type News, type NewsReader, ReadNews } from './read-news.service.js';
import { renderPlace, type StreamPlace } from './stream-place.js';

/** Events of tasks and budgets are read this late at most. Requests wake the stream. */
const POLL_MS = 1_000;
/** A busy account's requests are written together. */
const ROUND_MS = 200;
const MAX_SEEN = 2_000;

/** A client that follows an account. */
export interface NewsSubscriber extends NewsReader {
  readonly response: Pick<ServerResponse, 'write' | 'once' | 'off'> & NodeJS.EventEmitter;
  /** Aborts when nothing more may be written. */
  readonly signal: AbortSignal;
  /** Null: from now on. */
  readonly place: StreamPlace | null;
}

/** Writes an account's requests, events and balance as server-sent events. Each part of the loop waits for a slow reader. */
@Injectable()
export class WriteNews {
  constructor(
    private readonly readNews: ReadNews,
    private readonly balances: BalanceReader,
    @Inject(BookedRequestsFeed) private readonly feed: Pick<BookedRequestsFeed, 'follow'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves when the signal aborts, or when the stores cannot be read: the client then resumes after its last event. */
  async write(subscriber: NewsSubscriber): Promise<void> {
    const inbox = new BookedInbox();
    const unfollow = this.feed.follow(subscriber.accountId, (ids) => inbox.add(ids));
    try {
      await this.#follow(subscriber, inbox);
    } catch (error) {
      if (!subscriber.signal.aborted) {
        this.logger.warn({ err: error, accountId: subscriber.accountId }, 'account stream failed');
      }
    } finally {
      unfollow();
    }
  }

  async #follow(subscriber: NewsSubscriber, inbox: BookedInbox): Promise<void> {
    const { signal } = subscriber;
    const writer = new NewsWriter(subscriber, subscriber.place ?? (await this.readNews.placeOfNow(subscriber)));
    while (!signal.aborted) {
      await writer.news(await this.readNews.since(subscriber, writer.place, inbox.take()));
      await writer.balance(await this.#balance(subscriber));
      await inbox.filled(POLL_MS, signal);
      await sleep(ROUND_MS, undefined, { signal });
    }
  }

  async #balance({ accountId }: NewsReader) {
    const { balanceNanoUsd, heldNanoUsd, availableNanoUsd } = await this.balances.read(accountId);
    return {
      balance_usd: formatUsd(balanceNanoUsd),
      held_usd: formatUsd(heldNanoUsd),
      available_usd: formatUsd(availableNanoUsd),
    };
  }
}

/** Renders the events of one stream, each request once. */
class NewsWriter {
  readonly #seen = new Set<string>();
  #balance = '';

  constructor(
    private readonly subscriber: NewsSubscriber,
    public place: StreamPlace,
  ) {}

  async news({ requests, events, isIncomplete }: News): Promise<void> {
    if (isIncomplete) await this.#write('resync', { from: new Date(this.place.settledAtMs).toISOString() });
    for (const request of requests) {
      if (this.#seen.has(request.requestId)) continue;
      this.#remember(request.requestId);
      this.place = { ...this.place, settledAtMs: Math.max(this.place.settledAtMs, request.settledAt.getTime()) };
      await this.#write('request', requestLine(request));
    }
    for (const event of events) {
      this.place = { ...this.place, eventId: event.id };
      await this.#write(event.type, eventView(event));
    }
  }

  async balance(view: object): Promise<void> {
    const text = JSON.stringify(view);
    if (text === this.#balance) return;
    this.#balance = text;
    await this.#write('balance', view);
  }

  #remember(requestId: string): void {
    this.#seen.add(requestId);
    const [oldest] = this.#seen;
    if (this.#seen.size > MAX_SEEN && oldest !== undefined) this.#seen.delete(oldest);
  }

  async #write(type: string, data: object): Promise<void> {
    const { response, signal } = this.subscriber;
    const text = `id: ${renderPlace(this.place)}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    if (!response.write(text)) await once(response, 'drain', { signal });
  }
}
