import { GatewayError } from '@gateway/contracts';
import type { OpenBody } from '../../edge-request.js';

/** A shorter message takes no room: the socket alone costs as much. */
const SMALL_BYTES = 64 * 1024;
/** As for the body of a request. */
const MAX_DURATION_MS = 60_000;

/** What a message needs of its process while it arrives. */
export interface MessageRoom {
  /** Throws 429 or 503 if there is no room. */
  readonly open: (bytes: number) => OpenBody;
  /** Whether the account has credit. */
  readonly maySpend: () => Promise<boolean>;
  /** The socket must receive no more. */
  readonly refuse: (error: GatewayError) => void;
}

/** The message that the client of a socket is sending. It takes room as the body of a request does, before it is whole. */
export class ArrivingMessage {
  #bytes = 0;
  #room: OpenBody | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRefused = false;

  constructor(private readonly ports: MessageRoom) {}

  /** Counts bytes of the connection. */
  receive(bytes: number): void {
    this.#bytes += bytes;
    if (this.#isRefused || this.#bytes <= SMALL_BYTES) return;
    try {
      if (this.#room === undefined) this.#open();
      else this.#room.grow(bytes);
    } catch (error) {
      this.#refuse(error as GatewayError);
    }
  }

  /** The message is whole. The request that it becomes takes room for itself. */
  end(): void {
    clearTimeout(this.#timer);
    this.#room?.close();
    this.#room = undefined;
    this.#bytes = 0;
  }

  #open(): void {
    this.#room = this.ports.open(this.#bytes);
    this.#timer = setTimeout(() => this.#refuse(tooSlow()), MAX_DURATION_MS);
    this.#timer.unref();
    const room = this.#room;
    this.ports.maySpend().then(
      (maySpend) => {
        if (!maySpend && this.#room === room) this.#refuse(noCredit());
      },
      () => {
        if (this.#room === room) this.#refuse(unavailable());
      },
    );
  }

  /** What has come stays until the socket is closed, and so does its room. */
  #refuse(error: GatewayError): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    clearTimeout(this.#timer);
    this.ports.refuse(error);
  }
}

const noCredit = (): GatewayError =>
  new GatewayError('insufficient_balance', 'Your balance is used up. Add credit before you send large messages.');

const tooSlow = (): GatewayError =>
  new GatewayError('request_timeout', 'The message did not arrive within 60 seconds.');

const unavailable = (): GatewayError =>
  new GatewayError('service_unavailable', 'The service is not available right now, try again shortly.', {
    retryAfterMs: 1_000,
  });
