import { type AccountId, GatewayError } from '@gateway/contracts';
import type { OpenBody } from '../edge-request.js';

const MEBIBYTE = 1024 * 1024;
/** Open bodies of one account in this process, in memory and on disk together. */
export const ACCOUNT_BYTES = 128 * MEBIBYTE;
const ACCOUNT_BODIES = 8;
const RETRY_AFTER_MS = 2_000;

/** Where a body is kept: JSON in memory, forms on disk. */
export type Place = 'memory' | 'disk';

/** A body above this size counts as one of its account's open bodies. */
export const LARGE_BODY_BYTES = 256 * 1024;

/** The arriving bodies of one account. */
interface Share {
  bytes: number;
  largeBodies: number;
  arriving: number;
}

/** The room of this process for the bodies of requests, and each account's share while its bodies arrive. */
export class BodyRoom {
  readonly #used: Record<Place, number> = { memory: 0, disk: 0 };
  readonly #shares = new Map<AccountId, Share>();

  /** The limits are in bytes. */
  constructor(readonly limits: Readonly<Record<Place, number>>) {}

  usedBytes(place: Place): number {
    return this.#used[place];
  }

  /** Accounts with an arriving body. */
  get accountCount(): number {
    return this.#shares.size;
  }

  /**
   * Opens a body of so many bytes; it may grow. Throws 429 beyond the account's share, and 503 beyond the room of the
   * process. A refusal takes nothing. `accountBytes`: the share, which an upload of a file raises.
   */
  open(accountId: AccountId, place: Place, bytes: number, accountBytes = ACCOUNT_BYTES): OpenBody {
    const share = this.#shares.get(accountId) ?? { bytes: 0, largeBodies: 0, arriving: 0 };
    const body = new ArrivingBody(share, accountBytes, (more) => this.#reserve(place, more));
    body.grow(bytes);
    share.arriving += 1;
    this.#shares.set(accountId, share);
    const leaveAccount = (): void => {
      if (body.leave() && share.arriving === 0) this.#shares.delete(accountId);
    };
    const close = (): void => {
      leaveAccount();
      this.#used[place] -= body.end();
    };
    return { grow: (more) => body.grow(more), leaveAccount, close };
  }

  #reserve(place: Place, bytes: number): void {
    if (this.#used[place] + bytes > this.limits[place]) throw noRoom();
    this.#used[place] += bytes;
  }
}

const largeBodiesOf = (bytes: number): number => (bytes > LARGE_BODY_BYTES ? 1 : 0);

/** The bytes of one body, in its account's share while it arrives. */
class ArrivingBody {
  #bytes = 0;
  #state: 'arriving' | 'arrived' | 'ended' = 'arriving';

  constructor(
    private readonly share: Share,
    private readonly accountBytes: number,
    private readonly reserve: (bytes: number) => void,
  ) {}

  grow(bytes: number): void {
    if (this.#state === 'ended') return;
    const largeBodies = largeBodiesOf(this.#bytes + bytes) - largeBodiesOf(this.#bytes);
    const isArriving = this.#state === 'arriving';
    if (isArriving && this.share.largeBodies + largeBodies > ACCOUNT_BODIES) throw tooManyBodies();
    if (isArriving && this.share.bytes + bytes > this.accountBytes) throw tooManyBytes(this.accountBytes);
    this.reserve(bytes);
    this.#bytes += bytes;
    if (!isArriving) return;
    this.share.bytes += bytes;
    this.share.largeBodies += largeBodies;
  }

  /** True the first time. */
  leave(): boolean {
    if (this.#state !== 'arriving') return false;
    this.#state = 'arrived';
    this.share.arriving -= 1;
    this.share.bytes -= this.#bytes;
    this.share.largeBodies -= largeBodiesOf(this.#bytes);
    return true;
  }

  /** The bytes to free: 0 after the first time. */
  end(): number {
    const bytes = this.#state === 'ended' ? 0 : this.#bytes;
    this.#state = 'ended';
    return bytes;
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
    `The request bodies that your account is sending are larger than ${accountBytes / MEBIBYTE} MB together. Wait until one has arrived.`,
    { retryAfterMs: RETRY_AFTER_MS },
  );

const noRoom = (): GatewayError =>
  new GatewayError('service_unavailable', 'There is no room for a body of this size right now, try again shortly.', {
    retryAfterMs: RETRY_AFTER_MS,
  });
