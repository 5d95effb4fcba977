import type { InvoiceUsage } from '../count/tokens.js';
import type { Directives } from '../directives/directives.js';
import type { VendorEmulator } from '../vendors/vendor-emulator.js';
import type { Exchange } from './exchange.js';

const HTML = '<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>';

/** The two modes to send a response, and what a client pays that disconnects before it. */
interface ResponseModes {
  /** Undefined: not streamed. */
  readonly stream: (() => void) | undefined;
  readonly whole: () => void;
  readonly usageAtStart: InvoiceUsage | null;
}

/** A vendor that will fail, or that never responds, bills nothing. */
const willFail = ({ status, hangs, isGarbage }: Directives): boolean =>
  status !== undefined || hangs === true || isGarbage === true;

/** Applies the directives that replace a response; otherwise sends it. */
export const applyDirectives = (
  exchange: Exchange,
  emulator: VendorEmulator,
  directives: Directives,
  modes: ResponseModes,
): void => {
  const respond = (): void => {
    const { status, retryAfterSeconds } = directives;
    if (status !== undefined) {
      exchange.refuse(emulator.errorOf({ status, retryAfterSeconds }));
    } else if (directives.hangs === true) {
      exchange.hang();
    } else if (modes.stream !== undefined) {
      modes.stream();
    } else if (directives.hangAfter !== undefined) {
      exchange.hang();
    } else if (directives.errorAfter !== undefined) {
      exchange.refuse(emulator.errorOf({ status: 500, retryAfterSeconds }));
    } else if (directives.isGarbage === true) {
      exchange.send(200, { 'content-type': 'text/html' }, HTML, null);
    } else if (directives.cutAfter === 0) {
      exchange.cut('', null);
    } else {
      modes.whole();
    }
  };
  exchange.after(directives.delayMs ?? 0, respond, () => (willFail(directives) ? null : modes.usageAtStart));
};

interface FullResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly usage: InvoiceUsage | null;
}

/** Sends the response, or half of it for `cut_after`. */
export function sendWhole(exchange: Exchange, { cutAfter }: Directives, response: FullResponse): void {
  const { status, headers, body, usage } = response;
  if (cutAfter === undefined) {
    exchange.send(status, headers, body, usage);
    return;
  }
  exchange.response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  exchange.cut(body.slice(0, Math.floor(body.length / 2)), usage);
}
