import { z } from 'zod';

/* POST /v1/completions: the older form of OpenAI's text completions, served by chat models. */

const oneText = z.string().min(1, 'expected text, got an empty string');
const notServed = (expected: string) => z.null({ error: expected }).optional();
const only = <const Value extends number | boolean>(value: Value, error: string) =>
  z.literal(value, { error }).nullish();

export const completionRequest = z.strictObject({
  model: z.string().min(1),
  prompt: z.union([oneText, z.array(oneText).length(1, 'expected one prompt in one request')]),
  max_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  user: z.string().nullish(),
  n: only(1, 'expected 1: send one request for each completion'),
  best_of: only(1, 'expected 1: send one request for each completion'),
  echo: only(false, 'expected false: a chat model does not repeat the prompt'),
  logprobs: notServed('expected no value: chat models have no log probabilities in this form'),
  suffix: notServed('expected no value: chat models do not fill a gap in a text'),
});

export type CompletionRequest = z.infer<typeof completionRequest>;

/** What an edge sends to a worker for an endpoint that chat models serve in another form. */
export interface ChatEnvelope {
  /** A valid request of POST /v1/chat/completions. */
  readonly chat: Readonly<Record<string, unknown>>;
}
