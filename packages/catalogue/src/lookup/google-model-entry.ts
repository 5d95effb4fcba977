import type { Endpoint, GoogleModelEntry } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';
import { displayName } from './display-name.js';

/** The methods of Google's API that a model serves, by its endpoint. */
const METHODS: Readonly<Partial<Record<Endpoint, readonly string[]>>> = {
  'models.generate_content': ['generateContent', 'streamGenerateContent', 'countTokens'],
  'models.embed_content': ['embedContent', 'batchEmbedContents'],
};

/** A model's entry in `GET /v1beta/models`. Undefined for a model that no method serves. */
export function googleModelEntry(model: CatalogueModel): GoogleModelEntry | undefined {
  const methods = model.endpoints.flatMap((endpoint) => METHODS[endpoint] ?? []);
  if (methods.length === 0) return undefined;
  const { contextTokens, maxOutputTokens } = model.limits;
  const name = displayName(model.id);
  return {
    name: `models/${model.id}`,
    version: model.released,
    displayName: name,
    description: `${name} by ${model.ownedBy}`,
    ...(contextTokens !== undefined && { inputTokenLimit: contextTokens }),
    ...(maxOutputTokens !== undefined && { outputTokenLimit: maxOutputTokens }),
    supportedGenerationMethods: methods,
    ...(model.chat !== undefined && { thinking: model.chat.traits.thinking !== 'none' }),
  };
}
