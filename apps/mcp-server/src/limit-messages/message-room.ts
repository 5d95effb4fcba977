import { GatewayError } from '@gateway/contracts';

const MEBIBYTE = 1024 * 1024;
/** Two of the longest messages. */
const ACCOUNT_BYTES = 96 * MEBIBYTE;
/** A shorter message takes no room: its connection alone costs as much. */
const SHORT_BYTES = 64 * 1024;
/** Of an account that may not spend: it pays for nothing that a longer message asks for. */
const UNFUNDED_BYTES = 256 * 1024;
const RETRY_AFTER_MS = 2_000;

/** One message in the room. It may grow while it arrives. */
export interface OpenMessage {
  /**
   * Throws 402 for a long one of a sender without money, 429 beyond the share of its sender, and 503 beyond the room of the
   * process. A refusal takes nothing.
   */
  grow(bytes: number): void;
  close(): void;
}

/** The room of this process for the messages of open requests, and the share of each account. */
export class MessageRoom {
  #usedBytes = 0;
  readonly #shares = new Map<string, number>();

  constructor(
    private readonly limitBytes: number,
    private readonly accountBytes = ACCOUNT_BYTES,
  ) {}

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Senders with a message that takes room. */
  get senderCount(): number {
    return this.#shares.size;
  }

  open(sender: string, maySpend = true): OpenMessage {
    let arrivedBytes = 0;
    let takenBytes = 0;
    let isOpen = true;
    return {
      grow: (bytes) => {
        if (!isOpen) return;
        arrivedBytes += bytes;
        if (arrivedBytes <= SHORT_BYTES) return;
        if (!maySpend && arrivedBytes > UNFUNDED_BYTES) throw noFunds();
        this.#take(sender, arrivedBytes - takenBytes);
        takenBytes = arrivedBytes;
      },
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#release(sender, takenBytes);
      },
    };
  }

  #take(sender: string, bytes: number): void {
    const share = (this.#shares.get(sender) ?? 0) + bytes;
    if (share > this.accountBytes) throw tooManyBytes(this.accountBytes);
    if (this.#usedBytes + bytes > this.limitBytes) throw noRoom();
    this.#usedBytes += bytes;
    this.#shares.set(sender, share);
  }

  #release(sender: string, bytes: number): void {
    this.#usedBytes -= bytes;
    const left = (this.#shares.get(sender) ?? 0) - bytes;
    if (left > 0) this.#shares.set(sender, left);
    else this.#shares.delete(sender);
  }
}

const noFunds = (): GatewayError =>
  new GatewayError('insufficient_balance', 'Your balance is used up. Add credit before you send large messages.');

const tooManyBytes = (accountBytes: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `The messages of your account's open requests are larger than ${accountBytes / MEBIBYTE} MB together. Wait until one has ended.`,
    { retryAfterMs: RETRY_AFTER_MS },
  );

const noRoom = (): GatewayError =>
  new GatewayError('service_unavailable', 'There is no room for a message of this size right now, try again shortly.', {
    retryAfterMs: RETRY_AFTER_MS,
  });
