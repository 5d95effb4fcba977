import type { UnitPrices } from '@gateway/contracts';
import { MODELS } from '../families/all-families.js';

const prices = (perMillion: UnitPrices): string =>
  Object.entries(perMillion)
    .map(([unit, usd]) => `${unit}=${usd}`)
    .join(' ');

/** The whole catalogue as reviewable lines: `golden/catalogue.txt` must equal it, so no price changes unseen. */
export const renderCatalogue = (): string =>
  MODELS.flatMap((model) => [
    `${model.id} (${model.aliases.join(', ')}) → ${model.vendor}/${model.upstreamModel} over ${model.chat.protocol}, ` +
      `${model.endpoints.join(' ')}, context ${model.limits.contextTokens}, output ${model.limits.maxOutputTokens}`,
    ...model.prices.flatMap(({ from, perMillion, longPrompt }) => [
      `  from ${from}: ${prices(perMillion)}`,
      ...(longPrompt
        ? [`    above ${longPrompt.aboveInputTokens} input tokens: ${prices(longPrompt.perMillion)}`]
        : []),
    ]),
  ])
    .join('\n')
    .concat('\n');
