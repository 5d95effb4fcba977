import { type Fields, fieldsOf, listOf } from '../../json/fields.js';

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The interface accepts camelCase and snake_case. One level only: deeper names may be a schema's. */
export const camelFields = (value: unknown): Fields =>
  Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, field]) => [camel(name), field]));

export const camelList = (value: unknown): readonly Fields[] => listOf(value).map(camelFields);
