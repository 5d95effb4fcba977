import { type AccountId, GatewayError } from '@gateway/contracts';
import type { OpenBody } from '../edge-request.js';

const MEBIBYTE = 1024 * 1024;
/** Bodies of the open requests of one account in this process, in memory and on disk together. */
export const ACCOUNT_BYTES = 128 * MEBIBYTE;
const ACCOUNT_BODIES = 8;
const RETRY_AFTER_MS = 2_000;

/** Where a body is kept: JSON in memory, forms on disk. */
export type Place = 'memory' | 'disk';

/** A body above this size counts as one of its account's open bodies. */
export const LARGE_BODY_BYTES = 256 * 1024;

/** The bodies of one account. */
interface Share {
  /** Until the responses have ended. */
  bytes: number;
  /** Those that arrive. */
  largeBodies: number;
  open: number;
}

/** The room of this process for the bodies of requests, and each account's share of it. */
export class BodyRoom {
  readonly #used: Record<Place, number> = { memory: 0, disk: 0 };
  readonly #shares = new Map<AccountId, Share>();

  /** The limits are in bytes. */
  constructor(readonly limits: Readonly<Record<Place, number>>) {}

  usedBytes(place: Place): number {
    return this.#used[place];
  }

  /** Accounts with an open body. */
  get accountCount(): number {
    return this.#shares.size;
  }

  /**
   * Opens a body of so many bytes; it may grow. Throws 429 beyond the account's share, and 503 beyond the room of the
   * process. A refusal takes nothing. `accountBytes`: the share, which an upload of a file raises.
   */
  open(accountId: AccountId, place: Place, bytes: number, accountBytes = ACCOUNT_BYTES): OpenBody {
    const share = this.#shares.get(accountId) ?? { bytes: 0, largeBodies: 0, open: 0 };
    const body = new AccountBody(share, accountBytes, (more) => this.#reserve(place, more));
    body.grow(bytes);
    share.open += 1;
    this.#shares.set(accountId, share);
    const close = (): void => {
      this.#used[place] -= body.end();
      if (share.open === 0) this.#shares.delete(accountId);
    };
    return { grow: (more) => body.grow(more), arrive: () => body.arrive(), close };
  }

  #reserve(place: Place, bytes: number): void {
    if (this.#used[place] + bytes > this.limits[place]) throw noRoom();
    this.#used[place] += bytes;
  }
}

const largeBodiesOf = (bytes: number): number => (bytes > LARGE_BODY_BYTES ? 1 : 0);

/** One body in its account's share. It counts as a large one while it arrives, and with its bytes until it ends. */
class AccountBody {
  #bytes = 0;
  #state: 'arriving' | 'arrived' | 'ended' = 'arriving';

  constructor(
    private readonly share: Share,
    private readonly accountBytes: number,
    private readonly reserve: (bytes: number) => void,
  ) {}

  grow(bytes: number): void {
    if (this.#state === 'ended') return;
    const isArriving = this.#state === 'arriving';
    const largeBodies = isArriving ? largeBodiesOf(this.#bytes + bytes) - largeBodiesOf(this.#bytes) : 0;
    if (isArriving && this.share.largeBodies + largeBodies > ACCOUNT_BODIES) throw tooManyBodies();
    if (isArriving && this.share.bytes + bytes > this.accountBytes) throw tooManyBytes(this.accountBytes);
    this.reserve(bytes);
    this.#bytes += bytes;
    this.share.bytes += bytes;
    this.share.largeBodies += largeBodies;
  }

  arrive(): void {
    if (this.#state !== 'arriving') return;
    this.#state = 'arrived';
    this.share.largeBodies -= largeBodiesOf(this.#bytes);
  }

  /** The bytes to free: 0 after the first time. */
  end(): number {
    if (this.#state === 'ended') return 0;
    this.arrive();
    this.#state = 'ended';
    this.share.open -= 1;
    this.share.bytes -= this.#bytes;
    return this.#bytes;
  }
}

const tooManyBodies = (): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `Your account is already sending ${ACCOUNT_BODIES} large request bodies. Wait until one has arrived.`,
    { retryAfterMs: RETRY_AFTER_MS },
  );

const tooManyBytes = (accountBytes: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `The bodies of your account's open requests are larger than ${accountBytes / MEBIBYTE} MB together. Wait until one has ended.`,
    { retryAfterMs: RETRY_AFTER_MS },
  );

const noRoom = (): GatewayError =>
  new GatewayError('service_unavailable', 'There is no room for a body of this size right now, try again shortly.', {
    retryAfterMs: RETRY_AFTER_MS,
  });
