import type { MessagesModelEntry } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';
import { displayName } from './display-name.js';
import { retirementNotice } from './retirement-notice.js';

/** Some clients of the format accept only model names of this form. */
const VENDOR_NAME = /^claude-/;

const LINE = /^cl-(haiku|sonnet|opus|fable|mythos)-/;

const time = (milliseconds: number): string => new Date(milliseconds).toISOString();

function lifeOf(model: CatalogueModel, atMs: number) {
  const notice = retirementNotice(model, atMs);
  return notice === undefined
    ? ({ lifecycle: 'active', deprecated_at: null, retires_at: null } as const)
    : ({
        lifecycle: 'deprecated',
        deprecated_at: time(notice.warnedFromMs),
        retires_at: time(notice.retiresAtMs),
      } as const);
}

/**
 * A model's entries in `GET /v1/models` for clients of the native messages format: under its public id, and under the
 * vendor's own name. `atMs`: Unix milliseconds.
 */
export const messagesModelEntries = (model: CatalogueModel, atMs: number): readonly MessagesModelEntry[] =>
  [model.id, ...model.aliases.filter((alias) => VENDOR_NAME.test(alias))].map((id) => ({
    type: 'model',
    id,
    display_name: displayName(id),
    created_at: `${model.released}T00:00:00Z`,
    max_input_tokens: model.limits.contextTokens ?? null,
    max_tokens: model.limits.maxOutputTokens ?? null,
    ...lifeOf(model, atMs),
    line: LINE.exec(model.id)?.[1] ?? null,
    capabilities: null,
  }));
