import type { ChatModelTraits, MessagesRequest } from '@gateway/contracts';

type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
type Wish = Pick<MessagesRequest, 'thinking' | 'output_config'>;

const FROM_LEAST: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const LOW_BUDGET = 2_048;
const MEDIUM_BUDGET = 8_192;

/**
 * The client's wish to think in the model's words. The format's efforts are hints there, so one that the model does not
 * have becomes the nearest below it, else the least above: never a refusal. Undefined: as the model thinks by itself.
 */
export function effortOf(request: Wish, { efforts }: ChatModelTraits): Effort | undefined {
  if (efforts === null) return undefined;
  const known = FROM_LEAST.filter((effort) => Object.hasOwn(efforts, effort));
  const asked = askedOf(request);
  if (asked === undefined) return undefined;
  if (asked === 'none') return known.find((effort) => effort === 'none');
  const thinking = known.filter((effort) => effort !== 'none');
  const rank = FROM_LEAST.indexOf(asked);
  return thinking.findLast((effort) => FROM_LEAST.indexOf(effort) <= rank) ?? thinking[0];
}

function askedOf({ thinking, output_config: config }: Wish): Effort | undefined {
  if (thinking?.type === 'disabled') return 'none';
  if (config?.effort != null) return config.effort;
  if (thinking?.type !== 'enabled') return undefined;
  if (thinking.budget_tokens <= LOW_BUDGET) return 'low';
  return thinking.budget_tokens <= MEDIUM_BUDGET ? 'medium' : 'high';
}
