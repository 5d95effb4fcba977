import { z } from 'zod';

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `generation_config` → `generationConfig`: Google's APIs accept both spellings of every field. */
const camelName = (name: string): string =>
  name.includes('_') ? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : name;

/** The fields of one message under their camelCase names. Null counts as absent. Inner messages stay as they are. */
export function camelFields(value: unknown): Fields {
  if (!isFields(value)) return {};
  const named: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) if (field != null) named[camelName(name)] = field;
  return named;
}

/** Schema of a message: reads both spellings of its own fields, and keeps unknown ones. */
export const message = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((value) => (isFields(value) ? camelFields(value) : value), z.looseObject(shape));
