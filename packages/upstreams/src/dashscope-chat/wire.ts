/**
 * Fields that differ from the client's chat request in POST /compatible-mode/v1/chat/completions:
 * alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope.
 * All other fields pass through, and `openai-compatible-chat/` reads the responses.
 */
export interface DashScopeChanges {
  readonly [field: string]: unknown;
  readonly messages: readonly unknown[];
  /** 0 inclusive to 2 exclusive. */
  readonly temperature: number | undefined;
  /** 0 exclusive to 1 inclusive. */
  readonly top_p: number | undefined;
  readonly tool_choice: unknown;
  readonly tools?: readonly unknown[];
  readonly enable_thinking: boolean | undefined;
  readonly thinking_budget?: number;
  readonly reasoning_effort: string | undefined;
}

/** Audio part of a message. `data` is a URL or a data URI. */
export interface DashScopeAudioPart {
  readonly type: 'input_audio';
  readonly input_audio: { readonly data: string; readonly format: string };
}
