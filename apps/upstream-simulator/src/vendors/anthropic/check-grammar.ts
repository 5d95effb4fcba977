import { type Fields, fieldsOf, isFields, listOf } from '../../json/fields.js';
import { invalid } from './anthropic-errors.js';

const MAX_OPTIONAL = 24;
const MAX_UNIONS = 16;
const MAX_STRICT_TOOLS = 20;

/** Keywords that the grammar of each type lacks. */
const LACKING: Readonly<Record<string, readonly string[]>> = {
  integer: ['exclusiveMaximum', 'exclusiveMinimum', 'maximum', 'minimum', 'multipleOf'],
  number: ['exclusiveMaximum', 'exclusiveMinimum', 'maximum', 'minimum', 'multipleOf'],
  string: ['maxLength', 'minLength'],
  array: ['maxItems', 'uniqueItems', 'contains', 'prefixItems'],
  object: ['maxProperties', 'minProperties', 'patternProperties', 'propertyNames'],
};

interface Counts {
  optional: number;
  unions: number;
}

/** Checks one schema that the vendor compiles to a grammar: structured outputs, JSON Schema limitations. */
const checkSchema = (given: unknown, place: string, counts: Counts): void => {
  const schema = fieldsOf(given);
  const types = Array.isArray(schema.type) ? schema.type.map(String) : [String(schema.type)];
  if ('oneOf' in schema) throw invalid(`${place}: Schema type 'oneOf' is not supported`);
  if (!['type', 'enum', 'const', 'anyOf', 'allOf', '$ref'].some((keyword) => keyword in schema)) {
    throw invalid(`${place}: Schema must have a 'type', 'enum', 'const', 'anyOf', 'allOf' or '$ref'`);
  }
  for (const type of types) checkType(type, schema, place);
  if (types.length > 1 || 'anyOf' in schema) counts.unions += 1;
  const required = listOf(schema.required);
  const properties = Object.entries(fieldsOf(schema.properties));
  counts.optional += properties.filter(([name]) => !required.includes(name)).length;
  const inner = [
    ...properties.map(([, property]) => property),
    ...(isFields(schema.items) ? [schema.items] : []),
    ...[schema.anyOf, schema.allOf].flatMap(listOf),
    ...[schema.$defs, schema.definitions].flatMap((definitions) => Object.values(fieldsOf(definitions))),
  ];
  for (const one of inner) checkSchema(one, place, counts);
};

const checkType = (type: string, schema: Fields, place: string): void => {
  const [lacking] = (LACKING[type] ?? []).filter((keyword) => keyword in schema);
  if (lacking !== undefined) throw invalid(`${place}: For '${type}' type, property '${lacking}' is not supported`);
  if (type === 'array' && ![undefined, 0, 1].includes(schema.minItems as number | undefined)) {
    throw invalid(`${place}: For 'array' type, 'minItems' values other than 0 or 1 are not supported`);
  }
  if (type !== 'object' || schema.additionalProperties === false) return;
  throw invalid(
    schema.additionalProperties === undefined
      ? `${place}: For 'object' type, 'additionalProperties' must be explicitly set to false`
      : `${place}: For 'object' type, 'additionalProperties: ${JSON.stringify(schema.additionalProperties)}' is not supported. Please set 'additionalProperties' to false`,
  );
};

/** Checks the schema of the answer and those of strict tools, which share their limits. */
export const checkGrammars = (request: Fields): void => {
  const counts: Counts = { optional: 0, unions: 0 };
  const format = fieldsOf(fieldsOf(request.output_config).format);
  if (format.type === 'json_schema') checkSchema(format.schema, 'output_config.format.schema', counts);
  const strict = listOf(request.tools)
    .map((tool, at) => ({ tool: fieldsOf(tool), at }))
    .filter(({ tool }) => tool.strict === true && (tool.type === undefined || tool.type === 'custom'));
  for (const { tool, at } of strict) checkSchema(tool.input_schema, `tools.${at}.custom`, counts);
  if (strict.length > MAX_STRICT_TOOLS) {
    throw invalid(`tools: Too many strict tools (${strict.length}). The maximum number of strict tools is 20.`);
  }
  if (counts.optional > MAX_OPTIONAL) {
    throw invalid(`Schemas contains too many optional parameters (${counts.optional}), limit: ${MAX_OPTIONAL}.`);
  }
  if (counts.unions > MAX_UNIONS) {
    throw invalid(`Schemas contains too many parameters with union types (${counts.unions}), limit: ${MAX_UNIONS}.`);
  }
};
