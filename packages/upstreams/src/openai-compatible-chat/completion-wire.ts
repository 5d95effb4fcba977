import { z } from 'zod';

/*
 * The chat-completions protocol as upstreams speak it: only what is read. Chunks and answers go on as they came.
 */

const functionCall = z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() });

const wireToolCall = z.looseObject({ id: z.string().nullish(), function: functionCall.nullish() });

/** One choice's message; fields that are not named here are kept. */
const wireMessage = z.looseObject({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(wireToolCall).nullish(),
});

export const wireCompletion = z.looseObject({
  id: z.string().optional(),
  choices: z.array(z.looseObject({ message: wireMessage, finish_reason: z.string().nullish() })).min(1),
  usage: z.unknown().optional(),
});

export const wireChunk = z.looseObject({
  id: z.string().nullish(),
  created: z.number().nullish(),
  choices: z
    .array(
      z.looseObject({
        index: z.int().min(0).nullish(),
        delta: z
          .looseObject({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            tool_calls: z.array(wireToolCall.extend({ index: z.int().min(0).max(1_023) })).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.unknown().optional(),
  error: z.unknown().optional(),
});

export type WireCompletion = z.infer<typeof wireCompletion>;
export type WireChunk = z.infer<typeof wireChunk>;
