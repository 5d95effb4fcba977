import { NO_USAGE } from '@gateway/contracts';
import type { UpstreamReply } from '../protocol.js';
import { estimatePrompt } from './pass-through/usage.js';

/** Response of `input_tokens` without an upstream call: an estimate of the prompt. */
export const estimateResponsesInput = (body: Buffer): UpstreamReply => ({
  body: Buffer.from(
    JSON.stringify({ object: 'response.input_tokens', input_tokens: estimatePrompt({ body }).promptTokens }),
  ),
  usage: NO_USAGE,
  upstreamId: undefined,
});
