import { type ChatModelTraits, EFFORTS, type Effort } from '@gateway/contracts';

/**
 * The effort of the model nearest to a hint: the next lower one, or the lowest. Undefined: the model's default, for a model
 * without efforts, and for `none` of a model that reasons on request only. By default a model that always reasons does so at
 * length, so `none` is its lowest effort.
 */
export function nearestEffort(
  requested: Effort,
  { efforts, thinking: mode }: Pick<ChatModelTraits, 'efforts' | 'thinking'>,
): Effort | undefined {
  if (efforts === null) return undefined;
  const known = EFFORTS.filter((effort) => Object.hasOwn(efforts, effort));
  if (requested === 'none') return known.find((effort) => effort === 'none' || mode === 'always');
  const thinking = known.filter((effort) => effort !== 'none');
  const rank = EFFORTS.indexOf(requested);
  return thinking.findLast((effort) => EFFORTS.indexOf(effort) <= rank) ?? thinking[0];
}
