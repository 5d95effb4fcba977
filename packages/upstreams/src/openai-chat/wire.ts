/**
 * Fields that differ from the client's chat request in POST /v1/chat/completions:
 * platform.openai.com/docs/api-reference/chat.
 * All other fields pass through, and `openai-compatible-chat/` reads the responses.
 */
export interface OpenAiChatChanges {
  readonly [field: string]: unknown;
  readonly reasoning_effort: string | undefined;
}

/** Removes what reasoning models reject: sampling parameters and stop sequences. */
export const NO_SAMPLING = {
  temperature: undefined,
  top_p: undefined,
  presence_penalty: undefined,
  frequency_penalty: undefined,
  logit_bias: undefined,
  stop: undefined,
} as const;
