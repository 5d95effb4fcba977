import { modelAt, priceAt } from '@gateway/catalogue';
import type { PriceVersion, UnitPrices } from '@gateway/contracts';
import { invalidField } from '@gateway/json-service';

interface OverridePrices {
  /** Null: the catalogue's prices apply again. */
  readonly perMillion: UnitPrices | null;
  readonly longPromptPerMillion: UnitPrices | undefined;
}

/** The public id of the model. Throws a 400 for a price that no request of the model would use. */
export function requirePricedModel(
  name: string,
  atMs: number,
  { perMillion, longPromptPerMillion = {} }: OverridePrices,
): string {
  const model = modelAt(name, atMs);
  const listed = model === undefined ? undefined : priceAt(model, atMs);
  if (model === undefined || listed === undefined) throw invalidField('model', 'must be a model with a price');
  if (model.servedBy !== undefined) {
    throw invalidField('model', `must be ${model.servedBy}, which serves ${model.id} at its own price at that time`);
  }
  const unitCount = Object.keys(perMillion ?? {}).length;
  const longPromptUnitCount = Object.keys(longPromptPerMillion).length;
  if (perMillion === null && longPromptUnitCount > 0) {
    throw invalidField('long_prompt_per_million', 'must be left out where per_million is null');
  }
  if (perMillion !== null && unitCount + longPromptUnitCount === 0) {
    throw invalidField('per_million', "must name a price, or be null for the catalogue's");
  }
  refuseUnusedUnits('per_million', model.id, Object.keys(perMillion ?? {}), listed.perMillion);
  refuseUnusedUnits(
    'long_prompt_per_million',
    model.id,
    Object.keys(longPromptPerMillion),
    listed.longPrompt?.perMillion,
  );
  return model.id;
}

function refuseUnusedUnits(
  param: string,
  modelId: string,
  units: readonly string[],
  listed: PriceVersion['perMillion'] | undefined,
): void {
  const unused = units.find((unit) => listed === undefined || !(unit in listed));
  if (unused === undefined) return;
  const known = listed === undefined ? 'long prompts cost the same' : `its units are ${Object.keys(listed).join(', ')}`;
  throw invalidField(param, `${modelId} has no price for '${unused}': ${known}`);
}
