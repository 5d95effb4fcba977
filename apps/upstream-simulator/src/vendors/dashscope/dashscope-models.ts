import { findById } from '../vendor-ids.js';
export interface DashScopeModel {
  readonly id: string;
  readonly created: number;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** The most tokens of thinking, and of `thinking_budget`. */
  readonly maxThinkingTokens: number;
  /** `always` cannot be disabled; `on` and `off` are the defaults of `enable_thinking`. */
  readonly thinking: 'never' | 'off' | 'on' | 'always';
  readonly inputs: readonly ('image' | 'video' | 'audio')[];
}

const row = (
  id: string,
  created: number,
  contextTokens: number,
  maxOutputTokens: number,
  thinking: DashScopeModel['thinking'],
  inputs: DashScopeModel['inputs'] = [],
  maxThinkingTokens = 81_920,
): DashScopeModel => ({ id, created, contextTokens, maxOutputTokens, thinking, inputs, maxThinkingTokens });

const MODELS: readonly DashScopeModel[] = [
  row('qwen3.8-omni-flash', 1_790_000_000, 1_000_000, 131_072, 'off', ['image', 'video', 'audio']),
  row('qwen3.6-plus', 1_785_000_000, 1_000_000, 65_536, 'off', ['image', 'video']),
  row('qwen-plus', 1_725_000_000, 1_000_000, 32_768, 'off'),
  row('qwen-max', 1_725_000_000, 32_768, 8_192, 'never'),
  row('qwen3-32b', 1_745_000_000, 131_072, 16_384, 'on', [], 38_912),
  row('qwq-plus', 1_741_000_000, 131_072, 8_192, 'always', [], 32_768),
];

export const findModel = findById(MODELS);

export const modelList = (): string =>
  JSON.stringify({
    object: 'list',
    data: [...MODELS, { id: 'text-embedding-v4', created: 1_749_000_000 }].map(({ id, created }) => ({
      id,
      object: 'model',
      created,
      owned_by: 'system',
    })),
  });
