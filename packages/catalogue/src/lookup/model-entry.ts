import type { ModelEntry, PriceOverride } from '@gateway/contracts';
import { ENDPOINTS } from '@gateway/contracts';
import type { CatalogueModel, VideoCapability } from '../catalogue-model.js';
import { displayName } from './display-name.js';
import { priceAt } from './price-at.js';

/**
 * A model's entry in `GET /v1/models`, at the prices of an account with these overrides.
 * Undefined before the model's first price: what cannot be billed is not listed.
 */
export function modelEntry(
  model: CatalogueModel,
  atMs: number,
  overrides?: readonly PriceOverride[],
): ModelEntry | undefined {
  const price = priceAt(model, atMs, overrides);
  if (price === undefined) return undefined;
  return {
    id: model.id,
    object: 'model',
    type: 'model',
    display_name: displayName(model.id),
    created_at: `${model.released}T00:00:00Z`,
    created: Date.parse(model.released) / 1000,
    owned_by: model.ownedBy,
    family: model.family,
    endpoints: model.endpoints.map((endpoint) => ENDPOINTS[endpoint].path),
    limits: {
      ...(model.limits.contextTokens !== undefined && { context_tokens: model.limits.contextTokens }),
      ...(model.limits.maxOutputTokens !== undefined && { max_output_tokens: model.limits.maxOutputTokens }),
      ...(model.video !== undefined && videoLimits(model.video)),
    },
    pricing: {
      currency: 'USD',
      version: price.version,
      per_million: price.perMillion as Readonly<Record<string, string>>,
      ...(price.longPrompt && {
        long_prompt: {
          above_input_tokens: price.longPrompt.aboveInputTokens,
          per_million: price.longPrompt.perMillion as Readonly<Record<string, string>>,
        },
      }),
    },
    aliases: model.aliases,
    shutdown_date: model.retirement?.on ?? null,
    successor: model.retirement?.successor ?? null,
    ...(model.servedBy !== undefined && { served_by: model.servedBy, upstream_model: model.upstreamModel }),
  };
}

const videoLimits = ({ traits: { resolutions, aspectRatios, durations } }: VideoCapability): ModelEntry['limits'] => ({
  resolutions,
  aspect_ratios: aspectRatios,
  durations: 'least' in durations ? { min: durations.least, max: durations.most } : durations,
});
