import { VendorContract } from '@gateway/testing';
import { expect } from '@jest/globals';

const openai = new VendorContract();

/** What the Open Responses specification (2026-04-24) requires of each response, as its compliance runner checks it. */
const REQUIRED = [
  ...['id', 'object', 'created_at', 'completed_at', 'status', 'incomplete_details', 'model', 'previous_response_id'],
  ...['instructions', 'output', 'error', 'tools', 'tool_choice', 'truncation', 'parallel_tool_calls', 'text', 'top_p'],
  ...['presence_penalty', 'frequency_penalty', 'top_logprobs', 'temperature', 'reasoning', 'usage', 'metadata'],
  ...['max_output_tokens', 'max_tool_calls', 'store', 'background', 'service_tier', 'safety_identifier'],
  'prompt_cache_key',
];

function expectValid(schema: string, value: unknown): void {
  expect({ value, problem: openai.problemOf(schema, value) }).toEqual({ value, problem: undefined });
}

export function expectResponseSchema(response: object): void {
  expectValid('Response', response);
  expect(REQUIRED.filter((field) => !(field in response))).toEqual([]);
}

export const expectEventSchema = (event: unknown): void => expectValid('ResponseStreamEvent', event);
