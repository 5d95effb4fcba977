import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';

/** Rules of style that do not fit: the address is the deployment's own, and errors are listed by status or range. */
const RULES = {
  'info-license': 'off',
  'no-server-example.com': 'off',
  'operation-4xx-response': 'off',
  // The schemas of events: only an extension refers to them.
  'no-unused-components': 'off',
  // A WebSocket begins with 101.
  'operation-2xx-response': 'off',
  'security-defined': 'off',
  // Readers see the group of a route by the words of its tag.
  'operation-tag-defined': 'error',
} as const;

/** A class of Unicode. It means other characters to a reader whose expressions have no flag. */
const NEEDS_A_FLAG = /\\p\{/i;
/** Generated clients would ask for text where the value is a number. */
const DIGITS_ALONE = /^\^\\d\{[\d,]+\}\$$/;

interface Described {
  readonly name?: unknown;
  readonly in?: unknown;
  readonly pattern?: unknown;
  readonly schema?: { readonly pattern?: unknown };
}

/** What readers of other languages would misunderstand. Ids are text, also where they have digits alone. */
function misleadingPatterns(text: string): readonly string[] {
  const faults: string[] = [];
  JSON.parse(text, (_key, value: Described | null) => {
    if (NEEDS_A_FLAG.test(String(value?.pattern))) faults.push(`pattern: ${value?.pattern} needs the flag u`);
    const isNumber = value?.in === 'query' && DIGITS_ALONE.test(String(value.schema?.pattern));
    if (isNumber && !String(value.name).endsWith('_id')) faults.push(`parameter: ${value.name} is a number`);
    return value;
  });
  return faults;
}

/** What two independent validators of OpenAPI 3.1 find wrong in a document, one sentence each. */
export async function documentFaults(document: object): Promise<readonly string[]> {
  const text = JSON.stringify(document);
  const config = await createConfig({ extends: ['recommended'], rules: RULES });
  const problems = await lintFromString({ source: text, config });
  const linted = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`);
  const found = [...linted, ...misleadingPatterns(text)];
  const { valid, errors } = await new Validator().validate(JSON.parse(text) as Record<string, unknown>);
  return valid ? found : [...found, `schema: ${JSON.stringify(errors)}`];
}
