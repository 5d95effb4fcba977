import type { CatalogueModel } from '@gateway/catalogue';
import type { Unit, Usage } from '@gateway/contracts';
import type { MediaTally } from './media-tally.js';

/** The units that one prompt is billed in. */
export interface PromptUnits {
  readonly text: Unit;
  readonly audio: Unit;
}

/** Audio is more expensive with some models, also the sound of a video or a file. */
export const promptUnitsOf = ({ prices }: CatalogueModel, text: Unit = 'input_token'): PromptUnits => ({
  text,
  audio: prices.at(-1)?.perMillion.input_audio_token === undefined ? text : 'input_audio_token',
});

/** The most that a prompt can use. No prompt is longer than the context window: its vendor refuses it. */
export function inputUsage(
  textTokens: number,
  tally: MediaTally,
  model: CatalogueModel,
  units = promptUnitsOf(model),
): Pick<Usage, 'units' | 'inputTokensTotal'> {
  const { contextTokens = Number.MAX_SAFE_INTEGER } = model.limits;
  const text = Math.min(textTokens + tally.tokens, contextTokens);
  const audio = Math.min(tally.fillsContext ? contextTokens : tally.audioTokens, contextTokens - text);
  const total = text + audio;
  if (audio === 0 || units.audio === units.text) return { units: { [units.text]: total }, inputTokensTotal: total };
  return { units: { [units.text]: text, [units.audio]: audio }, inputTokensTotal: total };
}
