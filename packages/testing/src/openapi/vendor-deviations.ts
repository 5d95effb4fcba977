/** Where answers may differ from the published schemas. `docs/vendors/openai.md` has the same rows. */
export const DEVIATIONS = [
  {
    schema: 'ModelResponseProperties',
    fields: ['user'],
    also: { type: 'null' },
    why: 'The vendor itself returns null.',
  },
  { schema: 'Response', fields: ['usage'], also: { type: 'null' }, why: 'The vendor itself returns null.' },
  {
    schema: 'CreateChatCompletionResponse',
    fields: ['system_fingerprint'],
    also: { type: 'null' },
    why: 'The vendor itself returns null.',
  },
  {
    schema: 'CreateChatCompletionStreamResponse',
    fields: ['system_fingerprint'],
    also: { type: 'null' },
    why: 'The vendor itself returns null.',
  },
  {
    schema: 'ChatCompletionMessageToolCallChunk',
    fields: ['type'],
    also: { const: 'custom' },
    why: 'Tools of free text are streamed, too.',
  },
  {
    schema: 'Embedding',
    fields: ['embedding'],
    also: { type: 'string' },
    why: '`encoding_format: base64` returns a text.',
  },
  {
    schema: 'Batch',
    fields: [
      ...['cancelled_at', 'cancelling_at', 'completed_at', 'expired_at', 'expires_at', 'failed_at', 'finalizing_at'],
      ...['in_progress_at', 'error_file_id', 'output_file_id', 'errors', 'request_counts', 'usage'],
    ],
    also: { type: 'null' },
    why: 'The vendor itself returns null for what a batch does not have yet.',
  },
  {
    schema: 'ListFilesResponse',
    fields: ['first_id', 'last_id'],
    also: { type: 'null' },
    why: 'The vendor itself returns null for an empty list.',
  },
  {
    schema: 'ListBatchesResponse',
    fields: ['first_id', 'last_id'],
    also: { type: 'null' },
    why: 'The vendor itself returns null for an empty list.',
  },
  {
    schema: 'OpenAIFile',
    fields: ['purpose'],
    also: { enum: ['evals'] },
    why: 'The vendor takes `evals` for an upload.',
  },
] as const;

/** Codex reads `context_length_exceeded` and `insufficient_quota` there. */
export const OPEN_ENUMS = ['ResponseErrorCode'] as const;

type Fields = Readonly<Record<string, unknown>>;

/** Answers on the vendor's paths that are of another protocol, and have its form. */
export const OTHER_ANSWERS = [
  {
    path: '/v1/models',
    has: (body: Fields) => 'models' in body || 'supportedGenerationMethods' in body,
    why: "Google's clients ask there, too.",
  },
  {
    path: '/v1/models',
    has: (body: Fields) => 'first_id' in body || body.type === 'model',
    why: "Anthropic's clients ask there, too.",
  },
  {
    path: '/v1/images',
    has: (body: Fields) => 'steps' in body || 'request_id' in body,
    why: "A body of Gemini's or Qwen's own form gets that vendor's answer.",
  },
  {
    path: '/v1/images',
    has: ({ created, data, usage, type, output_format }: Fields) =>
      (created === undefined && Array.isArray(data)) ||
      'generated_images' in Object(usage) ||
      (output_format === undefined && /^image_(generation|edit)\./.test(String(type))),
    why: "Grok and Seedream share OpenAI's path and fields. Their answers pass: no `created`, or other counts and events.",
  },
] as const;
