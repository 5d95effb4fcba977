import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** OpenAI's published schemas of a response and of its stream's events. */
const SCHEMA = JSON.parse(
  readFileSync(new URL('__fixtures__/openai-responses.schema.json', import.meta.url), 'utf8'),
) as { readonly $defs: Record<string, Schema> };

interface Schema {
  readonly properties?: Record<string, object>;
  readonly allOf?: readonly Schema[];
}

/** The vendor's own responses have null there, although the published schema does not say so. */
const NULLABLE = [
  ['ModelResponseProperties', 'user'],
  ['Response', 'usage'],
] as const;

for (const [name, field] of NULLABLE) {
  const schema = SCHEMA.$defs[name] ?? {};
  const holder = [schema, ...(schema.allOf ?? [])].find(({ properties }) => properties?.[field] !== undefined);
  if (holder?.properties === undefined) throw new Error(`no ${field} in ${name}`);
  holder.properties[field] = { anyOf: [holder.properties[field], { type: 'null' }] };
}

const ajv = new Ajv2020({ strict: false, allErrors: false });
ajv.addSchema(SCHEMA, 'openai');

const validatorOf = (name: string): ValidateFunction => ajv.compile({ $ref: `openai#/$defs/${name}` });
const isResponse = validatorOf('Response');
const isEvent = validatorOf('ResponseStreamEvent');

function expectValid(validate: ValidateFunction, value: unknown): void {
  const isValid = validate(value);
  expect({ value, errors: isValid ? [] : validate.errors }).toEqual({ value, errors: [] });
}

export const expectResponseSchema = (response: unknown): void => expectValid(isResponse, response);
export const expectEventSchema = (event: unknown): void => expectValid(isEvent, event);
