import { invoiceUsage } from '../count/tokens.js';
import type { CompletionReply, VendorEmulator } from '../vendors/vendor-emulator.js';
import { applyDirectives, sendWhole } from './apply-directives.js';
import type { Exchange } from './exchange.js';
import { streamCompletion } from './stream-completion.js';

const playWhole = (exchange: Exchange, reply: CompletionReply): void => {
  const { directives, headers, completion } = reply;
  const usage = invoiceUsage(completion.counts, completion.counts.visibleTokens + completion.counts.reasoningTokens);
  sendWhole(exchange, directives, { status: 200, headers, body: reply.whole(), usage });
};

/** Gives a model's answer the way its directives want it. */
export const sendCompletion = (exchange: Exchange, emulator: VendorEmulator, reply: CompletionReply): void =>
  applyDirectives(exchange, emulator, reply.directives, {
    stream: reply.isStream ? () => streamCompletion(exchange, reply) : undefined,
    whole: () => playWhole(exchange, reply),
  });
