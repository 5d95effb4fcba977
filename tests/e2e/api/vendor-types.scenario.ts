import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DOCUMENTS } from './document.js';
import type { RecordedAnswer } from './recorded-answers.js';
import { unrecordedOperations, vendorTypeFaults } from './vendor-types.js';

const recorded = JSON.parse(readFileSync(new URL('recorded/public.json', DOCUMENTS), 'utf8')) as Readonly<
  Record<string, RecordedAnswer>
>;

describe('the recorded answers as types of the vendors’ own libraries', () => {
  it('fit, whole and as the events of streams', async () => {
    expect(unrecordedOperations(recorded)).toEqual([]);
    expect(await vendorTypeFaults(recorded)).toEqual([]);
  });

  it('do not fit without a field, with another type, or with a value that the vendor does not have', async () => {
    const chat = recorded['chat.completions/simple'] as RecordedAnswer & { readonly body: object };
    const stream = recorded['messages.create/stream'] as RecordedAnswer;
    const { id, ...withoutId } = chat.body as { readonly id: string };
    const faults = await vendorTypeFaults({
      'chat.completions/no_id': { ...chat, body: withoutId },
      'chat.completions/no_list': { ...chat, body: { ...chat.body, choices: null } },
      'chat.completions/other_object': { ...chat, body: { ...chat.body, object: 'chat' } },
      'messages.create/other_event': { ...stream, body: 'data: {"type":"message_paused"}\n\n' },
      'chat.completions/unknown_field': { ...chat, body: { ...chat.body, cost: '0.1' } },
    });
    const named = faults.flatMap((fault) => /^\S+\/\S+(?=:)/.exec(fault)?.[0] ?? []);
    expect([...new Set(named)]).toEqual([
      'chat.completions/no_id',
      'chat.completions/no_list',
      'chat.completions/other_object',
      'messages.create/other_event',
    ]);
  });
});
