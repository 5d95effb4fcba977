import { type Fields, fieldsOf, listOf } from '../../json/fields.js';

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The interface takes camelCase and snake_case. One level only: below may be a schema or a customer's own names. */
export const camelFields = (value: unknown): Fields =>
  Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, field]) => [camel(name), field]));

export const camelList = (value: unknown): readonly Fields[] => listOf(value).map(camelFields);
