import { invoiceUsage } from '../count/tokens.js';
import type { GeneratedReply, Persona } from '../personas/persona.js';
import type { Exchange } from './exchange.js';
import { playAsDirected, sendWhole } from './play-as-directed.js';
import { playStream } from './play-stream.js';

const playWhole = (exchange: Exchange, reply: GeneratedReply): void => {
  const { directives, headers, answer } = reply;
  const usage = invoiceUsage(answer.counts, answer.counts.visibleTokens + answer.counts.reasoningTokens);
  sendWhole(exchange, directives, { status: 200, headers, body: reply.whole(), usage });
};

/** Gives a model's answer the way its directives want it. */
export const playReply = (exchange: Exchange, persona: Persona, reply: GeneratedReply): void =>
  playAsDirected(exchange, persona, reply.directives, {
    stream: reply.isStream ? () => playStream(exchange, reply) : undefined,
    whole: () => playWhole(exchange, reply),
  });
