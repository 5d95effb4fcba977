import { z } from 'zod';

/* POST /v1/completions: the older form of OpenAI's text completions, served by chat models. */

const oneText = z.string().min(1, 'expected text, got an empty string');
const notServed = (expected: string) => z.null({ error: expected }).optional();
const only = <const Value extends number | boolean>(value: Value, error: string) =>
  z.literal(value, { error }).nullish();

/** Completions of one request: so many calls of the model. */
const MAX_COMPLETIONS = 32;

const promptsOf = (prompt: string | readonly string[]): readonly string[] =>
  typeof prompt === 'string' ? [prompt] : prompt;

const fields = z.strictObject({
  model: z.string().min(1),
  prompt: z.union([oneText, z.array(oneText).min(1)]),
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
  n: z.int().min(1).nullish(),
  best_of: z.int().min(1).nullish(),
  echo: only(false, 'expected false: a chat model does not repeat the prompt'),
  logprobs: notServed('expected no value: chat models have no log probabilities in this form'),
  suffix: notServed('expected no value: chat models do not fill a gap in a text'),
});

export const completionRequest = fields
  .refine(({ prompt, n }) => promptsOf(prompt).length * (n ?? 1) <= MAX_COMPLETIONS, {
    error: `expected at most ${MAX_COMPLETIONS} completions in one request`,
    path: ['prompt'],
  })
  .refine(({ n, best_of: most }) => most == null || most === (n ?? 1), {
    error: 'expected the value of n: each completion is returned',
    path: ['best_of'],
  })
  .refine(({ prompt, n, stream }) => stream !== true || promptsOf(prompt).length * (n ?? 1) === 1, {
    error: 'expected false with several completions: send one request for each stream',
    path: ['stream'],
  });

export type CompletionRequest = z.infer<typeof completionRequest>;

/** What an edge sends to a worker for an endpoint that chat models serve in another form. */
export interface ChatEnvelope {
  /** A valid request of POST /v1/chat/completions. */
  readonly chat: Readonly<Record<string, unknown>>;
}

/** Several completions of one request: as many chats, in the order of their choices. */
export interface ChatsEnvelope {
  readonly chats: readonly ChatEnvelope['chat'][];
}
