import type { JsonObject } from '../tool.js';
import { invalidArgument } from '../tool-failure.js';

/** Removes undefined fields: a model family may reject them. */
export const withoutUndefined = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Reads an optional string argument. Throws a ToolFailure that names it for any other type. */
export function optionalString(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw invalidArgument(name, 'expected a string.');
}
