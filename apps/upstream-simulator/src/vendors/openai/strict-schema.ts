import { fieldsOf, isFields, listOf } from '../../json/fields.js';

/** What a strict schema lacks, in the vendor's words, or undefined. */
export const strictSchemaFault = (schema: unknown, context: readonly string[] = []): string | undefined => {
  const fields = fieldsOf(schema);
  const place = `In context=(${context.map((step) => `'${step}'`).join(', ')})`;
  if (isFields(fields.properties)) {
    if (fields.additionalProperties !== false) {
      return `${place}, 'additionalProperties' is required to be supplied and to be false.`;
    }
    const required = new Set(listOf(fields.required));
    const missing = Object.keys(fields.properties).find((name) => !required.has(name));
    if (missing !== undefined) {
      return `${place}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
    }
    for (const [name, property] of Object.entries(fields.properties)) {
      const fault = strictSchemaFault(property, [...context, 'properties', name]);
      if (fault !== undefined) return fault;
    }
  }
  return 'items' in fields ? strictSchemaFault(fields.items, [...context, 'items']) : undefined;
};
