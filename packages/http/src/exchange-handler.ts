import type { Dispatcher } from 'undici';
import type { Exchange } from './exchange.js';
import { type HttpResponse, ReceivedResponse } from './http-response.js';
import { ResponseBody } from './response-body.js';

const FIRST_FINAL_STATUS = 200;

/**
 * undici's callbacks for one exchange. `onRequestStart` comes immediately before the request's first byte is written to a
 * connected socket. A failure before it (queue, lookup, connect, TLS, a closed keep-alive socket) has provably sent nothing.
 */
export class ExchangeHandler implements Dispatcher.DispatchHandler {
  #body: ResponseBody | undefined;

  constructor(
    private readonly exchange: Exchange,
    private readonly onHead: (response: HttpResponse) => void,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.exchange.start(controller);
  }

  onResponseStart(...[controller, status, headers]: Parameters<OnResponseStart>): void {
    if (status < FIRST_FINAL_STATUS) return;
    // Frees about forty buffers, which would live as long as the response.
    controller.rawHeaders = null;
    this.#body = new ResponseBody(this.exchange);
    this.onHead(new ReceivedResponse(status, headers, this.#body, this.exchange));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body?.push(chunk);
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
