import { invoiceUsage } from '../count/tokens.js';
import type { GeneratedReply, Persona } from '../personas/persona.js';
import type { Exchange } from './exchange.js';
import { playStream } from './play-stream.js';

const HTML = '<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>';

const playWhole = (exchange: Exchange, reply: GeneratedReply): void => {
  const { directives, answer } = reply;
  if (directives.isGarbage === true) {
    exchange.send(200, { 'content-type': 'text/html' }, HTML, null);
    return;
  }
  const body = reply.whole();
  const usage = invoiceUsage(answer.counts, answer.counts.visibleTokens + answer.counts.reasoningTokens);
  if (directives.cutAfter === undefined) {
    exchange.send(200, reply.headers, body, usage);
    return;
  }
  if (directives.cutAfter === 0) {
    exchange.cut('', null);
    return;
  }
  exchange.response.writeHead(200, {
    'content-type': 'application/json',
    ...reply.headers,
    'content-length': Buffer.byteLength(body),
  });
  exchange.cut(body.slice(0, Math.floor(body.length / 2)), usage);
};

/** Gives a model's answer the way its directives want it. */
export const playReply = (exchange: Exchange, persona: Persona, reply: GeneratedReply): void => {
  const { directives } = reply;
  exchange.after(directives.delayMs ?? 0, () => {
    const { status, retryAfterSeconds } = directives;
    if (status !== undefined) {
      exchange.refuse(persona.errorOf({ status, retryAfterSeconds }));
    } else if (directives.hangs === true) {
      exchange.watch();
    } else if (reply.isStream) {
      playStream(exchange, reply);
    } else if (directives.hangAfter !== undefined) {
      exchange.watch();
    } else if (directives.errorAfter !== undefined) {
      exchange.refuse(persona.errorOf({ status: 500, retryAfterSeconds }));
    } else {
      playWhole(exchange, reply);
    }
  });
};
