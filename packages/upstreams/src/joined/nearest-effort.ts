import type { ChatModelTraits, Effort } from '@gateway/contracts';

const FROM_LEAST: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * The effort of the model nearest to a hint: the next lower one, or the lowest. Undefined: the model's default, for a model
 * without efforts, and for `none` of a model that always reasons.
 */
export function nearestEffort(requested: Effort, { efforts }: Pick<ChatModelTraits, 'efforts'>): Effort | undefined {
  if (efforts === null) return undefined;
  const known = FROM_LEAST.filter((effort) => Object.hasOwn(efforts, effort));
  if (requested === 'none') return known.find((effort) => effort === 'none');
  const thinking = known.filter((effort) => effort !== 'none');
  const rank = FROM_LEAST.indexOf(requested);
  return thinking.findLast((effort) => FROM_LEAST.indexOf(effort) <= rank) ?? thinking[0];
}
