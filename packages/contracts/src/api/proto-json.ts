import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../json/json-object.js';

/** `generation_config` → `generationConfig`: Google's APIs accept both spellings of every field. */
export const camelName = (name: string): string =>
  name.includes('_') ? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : name;

/** The fields of one message under their camelCase names. Null counts as absent. Inner messages stay as they are. */
export function camelFields(value: unknown): JsonObject {
  if (!isJsonObject(value)) return {};
  const named: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) if (field != null) named[camelName(name)] = field;
  return named;
}

/** Schema of a message: reads both spellings of its own fields, and keeps unknown ones. */
export const message = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((value) => (isJsonObject(value) ? camelFields(value) : value), z.looseObject(shape));
