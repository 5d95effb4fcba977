import { type Fields, fieldsOf, isFields, listOf } from '../../json/fields.js';

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The interface accepts camelCase and snake_case. One level only: deeper names may be a schema's. */
export const camelFields = (value: unknown): Fields =>
  Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, field]) => [camel(name), field]));

export const camelList = (value: unknown): readonly Fields[] => listOf(value).map(camelFields);

/** A schema in the vendor's dialect, at every depth. Names of properties stay: they are the client's. */
export const camelSchema = (schema: unknown): unknown => {
  if (!isFields(schema)) return schema;
  const { properties, items, anyOf, ...fields } = camelFields(schema);
  return {
    ...fields,
    ...(isFields(properties) && { properties: camelProperties(properties) }),
    ...(items !== undefined && { items: camelSchema(items) }),
    ...(anyOf !== undefined && { anyOf: listOf(anyOf).map(camelSchema) }),
  };
};

const camelProperties = (properties: Fields): Fields =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, camelSchema(property)]));
