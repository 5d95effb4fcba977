import type { CatalogueModel, DatedPrice } from '../catalogue-model.js';

const charging = new WeakMap<CatalogueModel, CatalogueModel>();

/** The model with its input seconds among its prices: quote, hold, list and receipt follow. One object for each model. */
export function chargeInputSeconds(model: CatalogueModel): CatalogueModel {
  const { video, prices } = model;
  if (video?.inputSeconds === undefined || video.chargesInputSeconds === true) return model;
  const known = charging.get(model);
  if (known !== undefined) return known;
  const charged: CatalogueModel = {
    ...model,
    prices: merge(prices, video.inputSeconds.prices),
    video: { ...video, chargesInputSeconds: true },
  };
  charging.set(model, charged);
  return charged;
}

/** The model as this installation sells it. `CHARGE_INPUT_SECONDS` decides whether its input seconds have a price. */
export const asCharged = (
  model: CatalogueModel,
  { chargesInputSeconds }: { readonly chargesInputSeconds: boolean },
): CatalogueModel => (chargesInputSeconds ? chargeInputSeconds(model) : model);

/** One row for each day on which either price changes, named by that day. */
function merge(prices: readonly DatedPrice[], inputPrices: readonly DatedPrice[]): readonly DatedPrice[] {
  const days = [...new Set([...prices, ...inputPrices].map(({ from }) => from))].sort();
  return days.flatMap((day) => {
    const price = prices.findLast(({ from }) => from <= day);
    const input = inputPrices.findLast(({ from }) => from <= day);
    return price === undefined
      ? []
      : [{ ...price, from: day, perMillion: { ...price.perMillion, ...input?.perMillion } }];
  });
}
