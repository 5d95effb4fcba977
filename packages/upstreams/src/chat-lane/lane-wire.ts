import { z } from 'zod';

/*
 * The chat-completions protocol as upstreams speak it: only what is read. Chunks and answers go on as they came.
 */

const functionCall = z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() });

const laneToolCall = z.looseObject({ id: z.string().nullish(), function: functionCall.nullish() });

/** One choice's message; fields that are not named here are kept. */
const laneMessage = z.looseObject({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(laneToolCall).nullish(),
});

export const laneReply = z.looseObject({
  id: z.string().optional(),
  choices: z.array(z.looseObject({ message: laneMessage, finish_reason: z.string().nullish() })).min(1),
  usage: z.unknown().optional(),
});

export const laneChunk = z.looseObject({
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
            tool_calls: z.array(laneToolCall.extend({ index: z.int().min(0).max(1_023) })).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.unknown().optional(),
  error: z.unknown().optional(),
});

export type LaneReply = z.infer<typeof laneReply>;
export type LaneChunk = z.infer<typeof laneChunk>;
