/**
 * POST /v1/chat/completions of platform.openai.com/docs/api-reference/chat. Client and upstream speak the same
 * protocol, so a request is the client's own with these fields changed; answers are read as `chat-lane` says.
 */
export interface OpenAiChatBody {
  readonly [field: string]: unknown;
  readonly model: string;
  readonly reasoning_effort?: string;
}

/** Parameters of sampling, which reasoning models refuse. */
export const SAMPLING_FIELDS = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias'] as const;
