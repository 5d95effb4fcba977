import type { ChatModelTraits, MessagesRequest } from '@gateway/contracts';

type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
type ThinkingRequest = Pick<MessagesRequest, 'thinking' | 'output_config'>;

const FROM_LEAST: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const LOW_BUDGET = 2_048;
const MEDIUM_BUDGET = 8_192;

/**
 * Maps `thinking` and `output_config.effort` to an effort of the model. The messages format treats efforts as hints, so an
 * unsupported one becomes the nearest lower one, or the lowest. Never throws. Undefined: the model's default.
 */
export function effortOf(request: ThinkingRequest, { efforts }: ChatModelTraits): Effort | undefined {
  if (efforts === null) return undefined;
  const known = FROM_LEAST.filter((effort) => Object.hasOwn(efforts, effort));
  const requested = requestedEffort(request);
  if (requested === undefined) return undefined;
  if (requested === 'none') return known.find((effort) => effort === 'none');
  const thinking = known.filter((effort) => effort !== 'none');
  const rank = FROM_LEAST.indexOf(requested);
  return thinking.findLast((effort) => FROM_LEAST.indexOf(effort) <= rank) ?? thinking[0];
}

function requestedEffort({ thinking, output_config: config }: ThinkingRequest): Effort | undefined {
  if (thinking?.type === 'disabled') return 'none';
  if (config?.effort != null) return config.effort;
  if (thinking?.type !== 'enabled') return undefined;
  if (thinking.budget_tokens <= LOW_BUDGET) return 'low';
  return thinking.budget_tokens <= MEDIUM_BUDGET ? 'medium' : 'high';
}
