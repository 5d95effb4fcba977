import { isJsonObject, type JsonObject } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { stringAt } from '../json/read-fields.js';
import type { ListedModel, ModelListPage } from './model-list.js';

/** OpenAI's `shutdown_date`, Anthropic's `retires_at`. */
const shutdownDateOf = ({ shutdown_date: shutdown, retires_at: retires }: JsonObject): string | undefined => {
  const date = shutdown ?? retires;
  return typeof date === 'string' || typeof date === 'number' ? String(date) : undefined;
};

function entriesOf(object: JsonObject, key: string): readonly JsonObject[] {
  const entries = object[key];
  if (!Array.isArray(entries)) throw malformedResponse();
  return entries.filter(isJsonObject);
}

function objectOf(body: Uint8Array): JsonObject {
  const object = parseUpstreamJson(body);
  if (!isJsonObject(object)) throw malformedResponse();
  return object;
}

/** `{data: [{id, …}], has_more?, last_id?}`. */
export function readDataPage(body: Uint8Array): ModelListPage {
  const object = objectOf(body);
  const models = entriesOf(object, 'data').map(
    (entry): ListedModel => ({
      id: stringAt(entry, 'id'),
      shutdownDate: shutdownDateOf(entry),
      isShutDown: entry.status === 'Shutdown',
    }),
  );
  const next = object.has_more === true ? stringAt(object, 'last_id') : '';
  return { models, next: next === '' ? undefined : next };
}

/** `{models: [{name: 'models/…'}], nextPageToken?}`. */
export function readGeminiPage(body: Uint8Array): ModelListPage {
  const object = objectOf(body);
  const models = entriesOf(object, 'models').map(
    (entry): ListedModel => ({
      id: stringAt(entry, 'name').replace(/^models\//, ''),
      shutdownDate: undefined,
      isShutDown: false,
    }),
  );
  const next = stringAt(object, 'nextPageToken');
  return { models, next: next === '' ? undefined : next };
}
