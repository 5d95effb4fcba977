import type { Dispatcher } from 'undici';
import type { Exchange } from './exchange.js';
import { type HttpResponse, ReceivedAnswer } from './http-response.js';
import { AnswerBody } from './response-body.js';

const FIRST_FINAL_STATUS = 200;

/**
 * Hears of one exchange from the library: the moment at which it begins to write the request on a connected socket, the answer's
 * head, its body and its end. Whatever fails before that moment (queueing, name lookup, connecting, TLS, a keep-alive socket found
 * closed) has provably sent nothing.
 */
export class ExchangeWatch implements Dispatcher.DispatchHandler {
  #body: AnswerBody | undefined;

  constructor(
    private readonly exchange: Exchange,
    private readonly onHead: (answer: HttpResponse) => void,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.exchange.start(controller);
  }

  onResponseStart(...[controller, status, headers]: Parameters<OnResponseStart>): void {
    if (status < FIRST_FINAL_STATUS) return;
    // Nobody asks for them again, and some forty buffers would live as long as a stream.
    controller.rawHeaders = null;
    this.#body = new AnswerBody(this.exchange);
    this.onHead(new ReceivedAnswer(status, headers, this.#body, this.exchange));
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#body?.push(piece);
  }

  onResponseEnd(): void {
    this.exchange.end();
    this.#body?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.exchange.end();
    if (this.#body === undefined) this.onFailure(error);
    else this.#body.fail(error);
  }
}

type OnResponseStart = NonNullable<Dispatcher.DispatchHandler['onResponseStart']>;
