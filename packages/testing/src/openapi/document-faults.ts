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
} as const;

/** What two independent validators of OpenAPI 3.1 find wrong in a document, one sentence each. */
export async function documentFaults(document: object): Promise<readonly string[]> {
  const text = JSON.stringify(document);
  const config = await createConfig({ extends: ['recommended'], rules: RULES });
  const problems = await lintFromString({ source: text, config });
  const found = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`);
  const { valid, errors } = await new Validator().validate(JSON.parse(text) as Record<string, unknown>);
  return valid ? found : [...found, `schema: ${JSON.stringify(errors)}`];
}
