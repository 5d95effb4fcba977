import type { MessagesModelEntry } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';
import { displayName } from './display-name.js';

/** Some clients of the format accept only model names of this form. */
const VENDOR_NAME = /^claude-/;

/**
 * A model's entries in `GET /v1/models` for clients of the native messages format: under its public id, and under the
 * vendor's own name.
 */
export const messagesModelEntries = (model: CatalogueModel): readonly MessagesModelEntry[] =>
  [model.id, ...model.aliases.filter((alias) => VENDOR_NAME.test(alias))].map((id) => ({
    type: 'model',
    id,
    display_name: displayName(id),
    created_at: `${model.released}T00:00:00Z`,
    max_input_tokens: model.limits.contextTokens ?? null,
    max_tokens: model.limits.maxOutputTokens ?? null,
  }));
