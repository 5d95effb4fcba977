import { type CatalogueModel, findModel, MODELS, modelsAt, upstreamNameOf } from '@gateway/catalogue';
import type { Vendor } from '@gateway/contracts';

/** An upstream model that the catalogue counts on. */
export interface ExpectedModel {
  readonly upstreamModel: string;
  readonly publicIds: readonly string[];
  /** ISO date by the catalogue; undefined: no end is announced. */
  readonly retiresOn: string | undefined;
}

/** What a vendor must serve at a moment, by its own names. A retired model is represented by its successor. */
export function expectedModels(
  vendor: Vendor,
  atMs: number,
  overrides: Readonly<Record<string, string>>,
): readonly ExpectedModel[] {
  const byName = new Map<string, CatalogueModel[]>();
  for (const model of modelsAt(atMs)) {
    if (model.vendor !== vendor) continue;
    const name = upstreamNameOf(model, overrides);
    byName.set(name, [...(byName.get(name) ?? []), model]);
  }
  return [...byName].map(([upstreamModel, models]) => ({
    upstreamModel,
    publicIds: models.map(({ id }) => id),
    retiresOn: endOf(models),
  }));
}

/** The end of the model itself: not the one of an id that it serves as a successor. */
function endOf(models: readonly CatalogueModel[]): string | undefined {
  const own = models.map(({ id, servedBy }) => findModel(servedBy ?? id));
  return own.find((model) => model?.retirement !== undefined)?.retirement?.on;
}

/** The vendor's names that the catalogue knows, retired ones included. */
export const knownNames = (vendor: Vendor): ReadonlySet<string> =>
  new Set(
    MODELS.filter((model) => model.vendor === vendor).flatMap(({ upstreamModel, aliases }) => [
      upstreamModel,
      ...aliases,
    ]),
  );
