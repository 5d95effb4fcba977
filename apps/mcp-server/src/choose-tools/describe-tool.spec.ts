import { MODELS, modelEntry } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { TOOLS } from '../tools/all-tools.js';
import { describeTool } from './describe-tool.js';

const models = MODELS.flatMap((model) => modelEntry(model, Date.now()) ?? []);

type Schema = Readonly<Record<string, unknown>>;

function unionsOf(schema: unknown): readonly (readonly Schema[])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { anyOf, oneOf } = schema as { readonly anyOf?: readonly Schema[]; readonly oneOf?: readonly Schema[] };
  return [anyOf, oneOf].filter((union) => union !== undefined).concat(Object.values(schema).flatMap(unionsOf));
}

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (_, tool) => {
  const shown = describeTool(tool, models);

  it('has a title, a description and a hint for each argument', () => {
    expect(shown.title).toBeTruthy();
    expect(shown.description?.length).toBeGreaterThan(40);
    for (const [name, schema] of Object.entries(shown.inputSchema.properties ?? {})) {
      expect([name, (schema as { description?: string }).description]).toEqual([name, expect.stringMatching(/\w{3}/)]);
    }
    expect(Object.keys(tool.hints).sort()).toEqual(Object.keys(tool.input.shape).sort());
  });

  it('has schemas without unions or references at the top', () => {
    for (const schema of [shown.inputSchema, shown.outputSchema]) {
      expect(schema).toMatchObject({ type: 'object' });
      expect(Object.keys(schema ?? {})).toEqual(
        expect.not.arrayContaining(['anyOf', 'oneOf', 'allOf', '$schema', '$ref']),
      );
    }
    expect(JSON.stringify(shown.inputSchema)).not.toContain('"type":"null"');
    expect(JSON.stringify(shown).length).toBeLessThan(9_000);
  });

  it('has no object in a union with other choices', () => {
    for (const choices of unionsOf(shown.inputSchema)) {
      if (choices.length > 1) expect(choices.map(({ type }) => type)).not.toContain('object');
    }
  });

  it('has all four annotations', () => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = shown.annotations ?? {};
    for (const hint of [readOnlyHint, destructiveHint, idempotentHint, openWorldHint])
      expect(typeof hint).toBe('boolean');
    expect(readOnlyHint === true && destructiveHint === true).toBe(false);
    if (tool.kind === 'paid') expect([readOnlyHint, idempotentHint]).toEqual([false, false]);
    expect('max_cost_usd' in (shown.inputSchema.properties ?? {})).toBe(tool.kind === 'paid');
  });
});

describe('the model argument', () => {
  it('lists only models that the key may use at the endpoint', () => {
    const chat = TOOLS.find(({ name }) => name === 'chat');
    const few = models.filter(({ id }) => ['gm-2.5-flash', 'vg-4'].includes(id));
    expect(chat && describeTool(chat, few).inputSchema.properties?.model).toMatchObject({ enum: ['gm-2.5-flash'] });
  });
});
