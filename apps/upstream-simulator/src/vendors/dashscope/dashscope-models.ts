export interface DashScopeModel {
  readonly id: string;
  readonly created: number;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** `always` cannot be disabled; `on` and `off` are the defaults of `enable_thinking`. */
  readonly thinking: 'never' | 'off' | 'on' | 'always';
  readonly inputs: readonly ('image' | 'video' | 'audio')[];
}

const SEEING = ['image', 'video'] as const;

const MODELS: readonly DashScopeModel[] = [
  {
    id: 'qwen3.8-omni-flash',
    created: 1_790_000_000,
    contextTokens: 1_000_000,
    maxOutputTokens: 131_072,
    thinking: 'off',
    inputs: ['image', 'video', 'audio'],
  },
  {
    id: 'qwen3.6-plus',
    created: 1_785_000_000,
    contextTokens: 1_000_000,
    maxOutputTokens: 65_536,
    thinking: 'off',
    inputs: SEEING,
  },
  {
    id: 'qwen-plus',
    created: 1_725_000_000,
    contextTokens: 1_000_000,
    maxOutputTokens: 32_768,
    thinking: 'off',
    inputs: [],
  },
  {
    id: 'qwen-max',
    created: 1_725_000_000,
    contextTokens: 32_768,
    maxOutputTokens: 8_192,
    thinking: 'never',
    inputs: [],
  },
  {
    id: 'qwen3-32b',
    created: 1_745_000_000,
    contextTokens: 131_072,
    maxOutputTokens: 16_384,
    thinking: 'on',
    inputs: [],
  },
  {
    id: 'qwq-plus',
    created: 1_741_000_000,
    contextTokens: 131_072,
    maxOutputTokens: 8_192,
    thinking: 'always',
    inputs: [],
  },
];

const BY_NAME = new Map(MODELS.map((model) => [model.id, model]));

export const findModel = (name: string): DashScopeModel | undefined => BY_NAME.get(name);

export const modelList = (): string =>
  JSON.stringify({
    object: 'list',
    data: MODELS.map(({ id, created }) => ({ id, object: 'model', created, owned_by: 'system' })),
  });
