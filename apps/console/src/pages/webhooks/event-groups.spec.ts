import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { EVENT_GROUPS } from './event-groups.js';

const DOCUMENT = new URL('../../../../../docs/openapi/accounts.json', import.meta.url);

/** Every text of a list that names events. */
function eventsIn(schema: unknown): readonly string[] {
  if (typeof schema === 'string') return [schema];
  return typeof schema === 'object' && schema !== null ? Object.values(schema).flatMap(eventsIn) : [];
}

it('an endpoint may choose every event that the API sends', () => {
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const { schema } = document.paths['/account/webhook-endpoints/{id}'].patch.requestBody.content['application/json'];
  const sent = eventsIn(schema.properties.events).filter((text) => /^[a-z]+\.[a-z._]+$/.test(text));
  const chosen = Object.values(EVENT_GROUPS).flat();
  expect([...chosen, 'webhook.test'].sort()).toEqual([...new Set(sent)].sort());
});
