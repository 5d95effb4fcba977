/**
 * POST /v1/chat/completions of platform.openai.com/docs/api-reference/chat. Client and upstream speak the same
 * protocol, so a request is the client's own with these fields changed; answers are read as `chat-lane` says.
 */
export interface OpenAiChatChanges {
  readonly [field: string]: unknown;
  readonly reasoning_effort: string | undefined;
}

/** Parameters of sampling, which reasoning models refuse. */
export const NO_SAMPLING = {
  temperature: undefined,
  top_p: undefined,
  presence_penalty: undefined,
  frequency_penalty: undefined,
  logit_bias: undefined,
} as const;
