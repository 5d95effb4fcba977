import { inputItems, outputItems, renderResponseItem, responseOfItem } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { pageOf } from './item-pages.js';

const SUFFIX = 'a'.repeat(26);
const ID = `resp_${SUFFIX}`;

describe('the items of an input', () => {
  it('have the same ids each time, from which the response follows', () => {
    const input = JSON.stringify([
      { role: 'user', content: 'hi' },
      { type: 'function_call_output', call_id: 'c', output: '1' },
      { type: 'message', id: 'msg_own', role: 'assistant', content: [] },
    ]);
    const ids = inputItems(input, ID).map(({ id }) => id);
    expect(ids).toEqual([`msg_${SUFFIX}_0`, `fco_${SUFFIX}_1`, 'msg_own']);
    expect(ids.map(responseOfItem)).toEqual([ID, ID, undefined]);
  });

  it.each(['a\0b', 'a'.repeat(201), ''])('have other ids than those that PostgreSQL cannot keep: %j', (id) => {
    const input = JSON.stringify([{ id, role: 'user', content: 'hi' }]);
    expect(inputItems(input, ID).map((item) => item.id)).toEqual([`msg_${SUFFIX}_0`]);
  });

  it.each([
    ['"hello"', 'user', [{ type: 'input_text', text: 'hello' }]],
    ['[{"role":"developer","content":"hello"}]', 'developer', [{ type: 'input_text', text: 'hello' }]],
    [
      '[{"role":"assistant","content":"hello"}]',
      'assistant',
      [{ type: 'output_text', text: 'hello', annotations: [] }],
    ],
    ['[{"role":"user","content":[{"type":"input_image"}]}]', 'user', [{ type: 'input_image' }]],
  ])('of %s are shown in full', (input, role, content) => {
    expect(inputItems(input, ID).map(renderResponseItem)).toEqual([
      { id: `msg_${SUFFIX}_0`, type: 'message', status: 'completed', role, content },
    ]);
  });

  it('have a status where the protocol has one, which clients leave out', () => {
    const statusOf = (item: object) =>
      inputItems(JSON.stringify([item]), ID).map((found) => renderResponseItem(found).status);
    for (const type of ['function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output']) {
      expect(statusOf({ type, call_id: 'c' })).toEqual(['completed']);
      expect(statusOf({ type, call_id: 'c', status: 'incomplete' })).toEqual(['incomplete']);
    }
  });

  it('keep all fields of other types', () => {
    const [item] = inputItems('[{"type":"reasoning","encrypted_content":"x","summary":[]}]', ID).map(
      renderResponseItem,
    );
    expect(item).toEqual({ id: `rs_${SUFFIX}_0`, type: 'reasoning', encrypted_content: 'x', summary: [] });
  });
});

it('the items of an output keep the names of the vendor', () => {
  const output = outputItems({ output: [{ id: 'rs_a', type: 'reasoning' }, { type: 'message' }, null] });
  expect(output.map(({ id }) => id)).toEqual(['rs_a']);
  expect(outputItems({})).toEqual([]);
});

describe('a page of items', () => {
  const all = ['a', 'b', 'c'].map((id) => ({ id, item: { type: 'reasoning' } }));
  const page = (order: 'asc' | 'desc', limit: number, after?: string) => {
    const { data, ...list } = pageOf(all, { order, limit, ...(after !== undefined && { after }) });
    return [data.map(({ id }) => id).join(''), list.first_id, list.last_id, list.has_more];
  };

  it('begins at either end, and says whether more follow', () => {
    expect(page('desc', 2)).toEqual(['cb', 'c', 'b', true]);
    expect(page('desc', 2, 'b')).toEqual(['a', 'a', 'a', false]);
    expect(page('asc', 3)).toEqual(['abc', 'a', 'c', false]);
    expect(page('asc', 3, 'c')).toEqual(['', null, null, false]);
  });

  it('after an unknown item is refused', () => {
    expect(() => page('asc', 3, 'x')).toThrow("'after': expected the id of an item of this list.");
  });
});
