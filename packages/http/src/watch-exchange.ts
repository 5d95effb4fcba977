import type { Dispatcher } from 'undici';
import type { Exchange } from './exchange.js';

/**
 * Notes the moment at which the library begins to write a request on a connected socket, and its end. Whatever fails before
 * that moment (queueing, name lookup, connecting, TLS, a keep-alive socket found closed) has provably sent nothing.
 */
class ExchangeWatch implements Dispatcher.DispatchHandler {
  constructor(
    private readonly handler: Dispatcher.DispatchHandler,
    private readonly exchange: Exchange,
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.handler.onRequestStart?.(controller, context);
    this.exchange.start(controller);
  }

  onResponseStart(...[controller, status, headers, text]: Parameters<OnResponseStart>): void {
    this.handler.onResponseStart?.(controller, status, headers, text);
    // Nobody asks for them again, and some forty buffers would live as long as a stream.
    controller.rawHeaders = null;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(...[controller, trailers]: Parameters<OnResponseEnd>): void {
    this.exchange.end();
    this.handler.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.exchange.end();
    this.handler.onResponseError?.(controller, error);
  }
}

type OnResponseStart = NonNullable<Dispatcher.DispatchHandler['onResponseStart']>;
type OnResponseEnd = NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>;

/** An interceptor; a request names its exchange in `opaque`. */
export const watchExchange: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { opaque } = options as { opaque?: Exchange };
  return dispatch(options, opaque === undefined ? handler : new ExchangeWatch(handler, opaque));
};
