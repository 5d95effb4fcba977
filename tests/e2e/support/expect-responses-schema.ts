import { VendorContract } from '@gateway/testing';
import { expect } from '@jest/globals';
import { z } from 'zod';

const openai = new VendorContract();

const nullable = <T extends z.ZodType>(type: T) => z.union([type, z.null()]);
const present = z.unknown().refine((value) => value !== undefined, { error: 'missing' });

const outputText = z.looseObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.looseObject({})),
  logprobs: z.array(z.looseObject({})),
});
const message = z.looseObject({
  type: z.literal('message'),
  id: z.string(),
  status: z.enum(['in_progress', 'completed', 'incomplete']),
  role: z.literal('assistant'),
  content: z.array(z.union([outputText, z.looseObject({ type: z.literal('refusal'), refusal: z.string() })])),
});
const functionCall = z.looseObject({
  type: z.literal('function_call'),
  id: z.string(),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  status: z.enum(['in_progress', 'completed', 'incomplete']),
});
const otherItem = z.looseObject({ type: z.string().refine((type) => type !== 'message' && type !== 'function_call') });

/** What the Open Responses specification (2026-04-24) requires of each response beyond OpenAI's schema. */
const specified = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int(),
  completed_at: nullable(z.int()),
  status: z.string(),
  incomplete_details: present,
  model: z.string(),
  previous_response_id: nullable(z.string()),
  instructions: nullable(z.string()),
  output: z.array(z.union([message, functionCall, otherItem])),
  error: present,
  tools: z.array(z.looseObject({ type: z.string() })),
  tool_choice: present,
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.looseObject({}),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  temperature: z.number(),
  reasoning: present,
  usage: nullable(z.looseObject({ input_tokens_details: z.looseObject({}), output_tokens_details: z.looseObject({}) })),
  max_output_tokens: nullable(z.int()),
  max_tool_calls: nullable(z.int()),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: present,
  safety_identifier: nullable(z.string()),
  prompt_cache_key: nullable(z.string()),
});

/** Events in which the specification requires more than OpenAI's schema. */
const specifiedEvents: Readonly<Record<string, z.ZodType>> = {
  'response.output_text.delta': z.looseObject({ logprobs: z.array(z.looseObject({})) }),
  'response.output_text.done': z.looseObject({ logprobs: z.array(z.looseObject({})) }),
  'response.output_item.done': z.looseObject({ item: z.union([message, functionCall, otherItem]) }),
};

function expectValid(schema: string, value: unknown): void {
  expect({ value, problem: openai.problemOf(schema, value) }).toEqual({ value, problem: undefined });
}

export function expectResponseSchema(response: object): void {
  expectValid('Response', response);
  expect(specified.safeParse(response).error?.issues ?? []).toEqual([]);
}

export function expectEventSchema(event: Record<string, unknown>): void {
  expectValid('ResponseStreamEvent', event);
  expect(specifiedEvents[String(event.type)]?.safeParse(event).error?.issues ?? []).toEqual([]);
}
