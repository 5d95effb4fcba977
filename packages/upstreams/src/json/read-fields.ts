import { isJsonObject, type JsonObject } from '@gateway/contracts';

/** The object in a field, or an empty one: an odd body of a vendor must still be read. */
export const objectAt = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return isJsonObject(value) ? value : {};
};

/** The string in a field, or an empty one. */
export const stringAt = (object: JsonObject, key: string): string => {
  const value = object[key];
  return typeof value === 'string' ? value : '';
};
