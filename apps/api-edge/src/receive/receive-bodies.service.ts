import type { Readable } from 'node:stream';
import {
  ENDPOINTS,
  type ErrorCode,
  FILE_FORM_LIMIT_BYTES,
  GatewayError,
  type KeyRecord,
  VIDEOS_PATH,
} from '@gateway/contracts';
import { countBytes, holdBack } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FundsCheck, OpenBody, RefusalCounter, RequestRoom, TakeRoom } from '../edge-request.js';
import { callerOf, knownCallerOf, openBodyOf, setOpenBody } from '../http/request-context.js';
import type { EdgeMetrics } from '../observability/metrics.js';
import { BODY_ROOM, EDGE_METRICS, FUNDS_CHECK, READ_PACE, REFUSALS } from '../tokens.js';
import { AccountTurns } from './account-turns.js';
import { ACCOUNT_BYTES, type BodyRoom, LARGE_BODY_BYTES, type Place } from './body-room.js';
import { BodyTurns } from './body-turns.js';
import { HistoryPace } from './history-pace.js';
import type { ReadPace } from './read-pace.js';
import { RefusalPauses } from './refusal-pauses.js';
import type { Refusals } from './refusals.js';

/** Smaller bodies take no room: a connection alone costs as much. */
const SMALL_BODY_BYTES = 16 * 1024;

/** Decides before a body is read whether there is room for it, and whether its sender was refused too often. */
@Injectable()
export class ReceiveBodies implements RefusalCounter, RequestRoom {
  /** Requests that this class has refused. They cost little; counted, they would refuse the client for ever. */
  readonly #refusedHere = new WeakSet<FastifyRequest>();
  readonly #histories = new HistoryPace();
  readonly #bodies = new BodyTurns();
  readonly #pauses = new RefusalPauses();
  readonly #accounts = new AccountTurns();

  constructor(
    @Inject(BODY_ROOM) private readonly room: BodyRoom,
    @Inject(REFUSALS) private readonly refusals: Refusals,
    @Inject(READ_PACE) private readonly reads: ReadPace,
    @Inject(FUNDS_CHECK) private readonly funds: FundsCheck,
    @Inject(EDGE_METRICS) private readonly metrics: EdgeMetrics,
  ) {}

  /** Rejects with 429, after a pause, if the caller or its address was refused too often, or if it reads too often. */
  checkPace(request: FastifyRequest): Promise<never> | undefined {
    const { key, batch } = callerOf(request);
    if (batch !== undefined) return undefined;
    try {
      this.#orRefuse(request, 'refusals', () => this.refusals.check(key.keyId, request.ip));
      if (!runsModel(request)) this.#orRefuse(request, 'reads', () => this.reads.take(key.accountId));
    } catch (refusal) {
      return holdBack(request, refusal, this.#pauses.next(key.accountId));
    }
    return undefined;
  }

  /** `undefined`: the request may go on. Else it may once the promise resolves, in turn with those of other accounts. */
  takeTurn(request: FastifyRequest): Promise<void> | undefined {
    return this.#accounts.take(callerOf(request).key.accountId);
  }

  /** Counts a refused request. The bytes of a body that was not read to its end cost nothing. */
  count(request: FastifyRequest, code: ErrorCode): void {
    const { key, batch } = knownCallerOf(request) ?? {};
    // The lines of a batch must not refuse the other requests of their key.
    if (key === undefined || batch !== undefined || this.#refusedHere.has(request)) return;
    const bodyBytes = request.raw.complete ? Number(request.headers['content-length'] ?? 0) : 0;
    this.refusals.count(code, key.keyId, request.ip, bodyBytes);
  }

  /**
   * Takes room for the body, until the response has ended. Returns the stream to read it from; a promise only for a large
   * body. Throws 402, 429 or 503.
   */
  open(request: FastifyRequest, reply: FastifyReply, body: Readable): Readable | Promise<Readable> {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const declaredBytes = length === undefined ? undefined : Number(length);
    if (declaredBytes === undefined ? encoding === undefined : declaredBytes <= SMALL_BODY_BYTES) return body;
    // The parser refuses it unread.
    if (declaredBytes !== undefined && declaredBytes > request.routeOptions.bodyLimit) return body;
    const { key } = callerOf(request);
    const place = placeOf(request);
    if (declaredBytes === undefined) return this.#openChunked(request, reply, body, place);
    const take = (): Readable => {
      this.#take(request, reply, key, place, declaredBytes);
      return body;
    };
    return declaredBytes <= LARGE_BODY_BYTES ? take() : this.#openLarge(request, key, body, take);
  }

  /** For what a request reads, such as a long history, which also has its pace. */
  of(request: FastifyRequest, reply: FastifyReply): TakeRoom {
    return (bytes) => {
      const { key } = callerOf(request);
      const opened = openBodyOf(request);
      // Unlike refusals of room these count: each costs more than its request.
      this.#histories.take(key.accountId, bytes);
      if (opened === undefined) this.#take(request, reply, key, 'memory', bytes);
      else this.#orRefuse(request, 'room', () => opened.grow(bytes));
    };
  }

  /** Counts the bytes of a body whose length is only known as it comes. */
  grow(request: FastifyRequest, bytes: number): void {
    if (request.headers['content-length'] !== undefined) return;
    this.#orRefuse(request, 'room', () => openBodyOf(request)?.grow(bytes));
  }

  async #openLarge(request: FastifyRequest, key: KeyRecord, body: Readable, take: () => Readable): Promise<Readable> {
    try {
      await this.#requireFunds(request, key);
      take();
    } catch (refusal) {
      // Node reads what is refused to its end, to keep the connection.
      this.#bodies.pace(body);
      throw refusal;
    }
    // A form is read later, when its endpoint runs.
    if (!isForm(request)) this.#bodies.pace(body);
    return body;
  }

  #openChunked(request: FastifyRequest, reply: FastifyReply, body: Readable, place: Place): Readable {
    const { key } = callerOf(request);
    this.#take(request, reply, key, place, 0);
    // The form's reader counts for itself.
    if (isForm(request)) return body;
    let receivedBytes = 0;
    return countBytes(body, (bytes) => {
      this.grow(request, bytes);
      const wasSmall = receivedBytes <= LARGE_BODY_BYTES;
      receivedBytes += bytes;
      return wasSmall && receivedBytes > LARGE_BODY_BYTES ? this.#requireFunds(request, key) : undefined;
    });
  }

  #take(request: FastifyRequest, { raw }: FastifyReply, key: KeyRecord, place: Place, bytes: number): OpenBody {
    const opened = this.#orRefuse(request, 'room', () =>
      this.room.open(key.accountId, place, bytes, accountBytesOf(request)),
    );
    setOpenBody(request, opened);
    if (raw.destroyed) opened.close();
    else raw.once('close', () => opened.close());
    return opened;
  }

  async #requireFunds(request: FastifyRequest, key: KeyRecord): Promise<void> {
    if (await this.funds.maySpend(key)) return;
    this.#refusedHere.add(request);
    this.metrics.refusedBodies.inc({ reason: 'funds' });
    const text = 'Your balance is used up. Add credit before you send large bodies.';
    // Each of these bodies is read and dropped, so a flood of them is slowed.
    return holdBack(request, new GatewayError('insufficient_balance', text), this.#pauses.next(key.accountId));
  }

  #orRefuse<Result>(request: FastifyRequest, reason: 'refusals' | 'reads' | 'room', run: () => Result): Result {
    try {
      return run();
    } catch (error) {
      this.#refusedHere.add(request);
      this.metrics.refusedBodies.inc({ reason });
      throw error;
    }
  }
}

const MODEL_PATHS: ReadonlySet<string | undefined> = new Set([
  ...Object.values(ENDPOINTS).map(({ path }) => path),
  VIDEOS_PATH,
]);
/** Google's methods are a part of the path. */
const GOOGLE_PATH = /^\/v1(beta)?\/models\//;

/** Admission limits these. All others cost a client nothing. */
const runsModel = ({ method, routeOptions: { url } }: FastifyRequest): boolean =>
  method === 'POST' && (MODEL_PATHS.has(url) || GOOGLE_PATH.test(url ?? ''));

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('multipart/form-data') === true;

/** A recording becomes a part of a chat, and an image one of a video, so they are held in memory. */
const MEMORY_FORMS: ReadonlySet<string | undefined> = new Set([ENDPOINTS['audio.transcriptions'].path, VIDEOS_PATH]);

const placeOf = (request: FastifyRequest): Place =>
  isForm(request) && !MEMORY_FORMS.has(request.routeOptions.url) ? 'disk' : 'memory';

/** A file may be larger than all other bodies of its account together: the room on disk limits it. */
const accountBytesOf = (request: FastifyRequest): number =>
  request.routeOptions.url === '/v1/files' ? FILE_FORM_LIMIT_BYTES + ACCOUNT_BYTES : ACCOUNT_BYTES;
