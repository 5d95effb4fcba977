import type { MessagesModelEntry } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';
import { displayName } from './display-name.js';

/** Clients of the format that look for models themselves take only names that begin so. */
const NAME_OF_FORMAT = /^claude-/;

/**
 * A model as clients of the native messages format are shown it: under its public id, and once more under the
 * vendor's own name, which is the only one that some of them accept.
 */
export const messagesModelEntries = (model: CatalogueModel): readonly MessagesModelEntry[] =>
  [model.id, ...model.aliases.filter((alias) => NAME_OF_FORMAT.test(alias))].map((id) => ({
    type: 'model',
    id,
    display_name: displayName(id),
    created_at: `${model.released}T00:00:00Z`,
    max_input_tokens: model.limits.contextTokens ?? null,
    max_tokens: model.limits.maxOutputTokens ?? null,
  }));
