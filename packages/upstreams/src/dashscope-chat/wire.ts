/**
 * POST /compatible-mode/v1/chat/completions of alibabacloud.com/help/en/model-studio (OpenAI compatible mode): the
 * client's own protocol with these differences; answers are read as `chat-lane` says.
 */
export interface DashScopeChanges {
  readonly [field: string]: unknown;
  readonly messages: readonly unknown[];
  /** From 0 to below 2. */
  readonly temperature: number | undefined;
  /** Above 0, to 1. */
  readonly top_p: number | undefined;
  readonly tool_choice: unknown;
  readonly enable_thinking: boolean | undefined;
  readonly thinking_budget?: number;
  readonly reasoning_effort: string | undefined;
}

/** Audio in a message: `data` is a URL or a data URI. */
export interface DashScopeAudioPart {
  readonly type: 'input_audio';
  readonly input_audio: { readonly data: string; readonly format: string };
}
