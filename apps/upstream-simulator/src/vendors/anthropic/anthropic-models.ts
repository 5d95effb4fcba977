export interface AnthropicModel {
  readonly id: string;
  readonly displayName: string;
  readonly createdAt: string;
  readonly contextTokens: number;
  readonly maxTokens: number;
  /** Temperature, top_p and top_k, while thinking is off. */
  readonly supportsSampling: boolean;
  /** `thinking.type: "enabled"` with a budget. */
  readonly supportsBudget: boolean;
  readonly supportsAdaptive: boolean;
  /** Default of `display`. */
  readonly showsThinking: boolean;
  readonly supportsPrefill: boolean;
  /** `system` messages after a user's. */
  readonly supportsSystemMessages: boolean;
  /** `tool_choice` of type `tool` or `any`. */
  readonly supportsForcedTools: boolean;
  readonly efforts: readonly string[];
}

const ALL_EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

const row = (id: string, displayName: string, createdAt: string, more: Partial<AnthropicModel>): AnthropicModel => ({
  id,
  displayName,
  createdAt,
  contextTokens: 1_000_000,
  maxTokens: 128_000,
  supportsSampling: true,
  supportsBudget: true,
  supportsAdaptive: true,
  showsThinking: true,
  supportsPrefill: false,
  supportsSystemMessages: false,
  supportsForcedTools: true,
  efforts: ALL_EFFORTS.filter((effort) => effort !== 'xhigh'),
  ...more,
});

/** Opus 4.7 and later. */
const NEWER = { supportsSampling: false, supportsBudget: false, showsThinking: false, efforts: ALL_EFFORTS };
const CURRENT = { ...NEWER, supportsSystemMessages: true, supportsForcedTools: false };

const MODELS: readonly AnthropicModel[] = [
  row('claude-opus-5-5', 'Claude Opus 5.5', '2026-09-22T00:00:00Z', CURRENT),
  row('claude-sonnet-5-5', 'Claude Sonnet 5.5', '2026-09-28T00:00:00Z', CURRENT),
  row('claude-haiku-5-5', 'Claude Haiku 5.5', '2026-10-07T00:00:00Z', CURRENT),
  row('claude-opus-4-7', 'Claude Opus 4.7', '2026-04-16T00:00:00Z', NEWER),
  row('claude-sonnet-4-6', 'Claude Sonnet 4.6', '2026-02-17T00:00:00Z', {}),
  row('claude-haiku-4-5-20251001', 'Claude Haiku 4.5', '2025-10-15T00:00:00Z', {
    contextTokens: 200_000,
    maxTokens: 64_000,
    supportsAdaptive: false,
    supportsPrefill: true,
    efforts: [],
  }),
];

const BY_NAME = new Map<string, AnthropicModel>([
  ...MODELS.map((model) => [model.id, model] as const),
  ...MODELS.filter((model) => model.id.startsWith('claude-haiku-4-5')).map(
    (model) => ['claude-haiku-4-5', model] as const,
  ),
]);

export const findModel = (name: string): AnthropicModel | undefined => BY_NAME.get(name);

const show = (model: AnthropicModel) => ({
  type: 'model',
  id: model.id,
  display_name: model.displayName,
  created_at: model.createdAt,
  max_input_tokens: model.contextTokens,
  max_tokens: model.maxTokens,
  lifecycle: 'active',
  deprecated_at: null,
  retires_at: null,
});

const DEFAULT_LIMIT = 20;

/** Newest model first. */
export const modelPage = (limit: number = DEFAULT_LIMIT, afterId?: string): object => {
  const from = afterId === undefined ? 0 : MODELS.findIndex((model) => model.id === afterId) + 1;
  const page = MODELS.slice(from, from + limit);
  return {
    data: page.map(show),
    has_more: from + limit < MODELS.length,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
};

export const modelEntry = (model: AnthropicModel): object => show(model);
