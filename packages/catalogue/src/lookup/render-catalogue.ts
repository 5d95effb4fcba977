import type { UnitPrices } from '@gateway/contracts';
import type { CatalogueModel, DatedPrice } from '../catalogue-model.js';
import { MODELS } from '../families/all-families.js';
import { STAND_INS } from '../families/stand-ins.js';

const prices = (perMillion: UnitPrices): string =>
  Object.entries(perMillion)
    .map(([unit, usd]) => `${unit}=${usd}`)
    .join(' ');

const lengths = ({ video }: CatalogueModel): string => {
  const durations = video?.traits.durations;
  if (durations === undefined) return '';
  return 'least' in durations ? `${durations.least} to ${durations.most} s` : `${durations.join(' or ')} s`;
};

const limits = (model: CatalogueModel): string => {
  const { contextTokens, maxOutputTokens } = model.limits;
  return [
    ...(contextTokens === undefined ? [] : [`context ${contextTokens}`]),
    ...(maxOutputTokens === undefined ? [] : [`output ${maxOutputTokens}`]),
    ...(model.video === undefined ? [] : [lengths(model), model.video.traits.resolutions.join('/')]),
  ].join(', ');
};

const protocolsOf = (model: CatalogueModel): string =>
  [
    model.chat?.protocol,
    model.embeddings?.protocol,
    model.imageGeneration?.protocol,
    model.rerank?.protocol,
    model.speech?.protocol,
    model.video?.protocol,
  ]
    .filter(Boolean)
    .join(', ');

const datedLines = (title: string, dated: readonly DatedPrice[]): string[] =>
  dated.flatMap(({ from, perMillion, longPrompt }) => [
    `  ${title} ${from}: ${prices(perMillion)}`,
    ...(longPrompt ? [`    above ${longPrompt.aboveInputTokens} input tokens: ${prices(longPrompt.perMillion)}`] : []),
  ]);

const priceLines = ({ prices: dated, vendorCosts, video }: CatalogueModel): string[] => [
  ...datedLines('from', dated),
  ...datedLines('input seconds, if they are charged, from', video?.inputSeconds?.prices ?? []),
  ...(vendorCosts === undefined
    ? ['  the vendor bills these prices']
    : datedLines('the vendor bills from', vendorCosts)),
];

const retirementLines = ({ retirement }: CatalogueModel): string[] => {
  if (retirement === undefined) return [];
  const { on, successor, keeps, nearest } = retirement;
  const then = successor === undefined ? `refused, nearest ${nearest ?? 'none'}` : `served by ${successor}`;
  return [`  retires ${on}: ${then}${keeps === undefined ? '' : `, keeps ${Object.keys(keeps).join(' ')}`}`];
};

/** The catalogue as reviewable lines. `golden/catalogue.txt` must equal it, so that no price changes unnoticed. */
export const renderCatalogue = (): string =>
  (MODELS as readonly CatalogueModel[])
    .flatMap((model) => [
      `${model.id} (${model.aliases.join(', ')}) → ${model.vendor}/${model.upstreamModel} over ${protocolsOf(model)}`,
      `  on ${model.endpoints.join(' ')} ${limits(model)}`.trimEnd(),
      ...priceLines(model),
      ...retirementLines(model),
    ])
    .concat(STAND_INS.map(({ names, model }) => `${names.join(', ')} → served by ${model}`))
    .join('\n')
    .concat('\n');
