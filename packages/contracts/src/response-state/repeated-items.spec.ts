import { describe, expect, it } from '@jest/globals';
import { mayRepeatCalls, repeatedItems } from './repeated-items.js';

const question = { role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] };
const callOf = (id: string) => ({ type: 'function_call', call_id: id, name: 'get_weather', arguments: '{}' });
const resultOf = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'rain' });
const thought = { type: 'thought', signature: 's' };
const step = { type: 'function_call', id: 'call_1', name: 'get_weather', arguments: {} };
const stepResult = { type: 'function_result', call_id: 'call_1', name: 'get_weather', result: {} };

const repeated = (items: readonly object[], output: readonly object[], history: readonly object[] = [question]) => [
  ...repeatedItems(items, { output, history: () => history }),
];

describe('the repeated items of an input', () => {
  it('are what Strands sends before a result: the question, and each call with its result', () => {
    const first = [question, callOf('a'), resultOf('a')];
    expect(repeated(first, [{ type: 'reasoning' }, callOf('a')])).toEqual([0, 1]);
    expect(repeated([...first, callOf('b'), resultOf('b')], [callOf('b')])).toEqual([0, 1, 2, 3]);
  });

  it('are what Google’s Agent Development Kit sends: the thought and the call', () => {
    const next = { type: 'user_input', content: [{ type: 'text', text: 'Thanks' }] };
    expect(repeated([thought, step, stepResult, next], [thought, step])).toEqual([0, 1]);
  });

  it('are no result of the answer before another one of its calls', () => {
    const items = [callOf('a'), resultOf('a'), callOf('b'), resultOf('b')];
    expect(repeated(items, [callOf('a'), callOf('b')])).toEqual([0, 2]);
    const [second, secondResult] = [
      { ...step, id: 'call_2' },
      { ...stepResult, call_id: 'call_2' },
    ];
    expect(repeated([step, stepResult, second, secondResult], [thought, step, second])).toEqual([0, 2]);
  });

  it('are calls of every kind, and texts beside them', () => {
    const custom = { type: 'custom_tool_call', call_id: 'c', name: 'run', input: 'ls' };
    const said = { type: 'message', role: 'assistant', content: 'I look.' };
    const result = { type: 'custom_tool_call_output', call_id: 'c', output: '' };
    expect(repeated([said, custom, result], [said, custom])).toEqual([0, 1]);
  });

  it('are none without a call of the answer, and not what follows it', () => {
    expect(repeated([question, resultOf('a')], [callOf('a')])).toEqual([]);
    expect(repeated([callOf('other'), resultOf('other')], [callOf('a')])).toEqual([]);
    expect(repeated([callOf('a'), resultOf('a'), question], [callOf('a')])).toEqual([0]);
  });

  it('are no message that the history lacks', () => {
    const news = { role: 'developer', content: 'From now on be polite' };
    expect(repeated([news, question, callOf('a'), resultOf('a')], [callOf('a')])).toEqual([1, 2]);
  });

  it('need no history without a message before a call', () => {
    const history = () => {
      throw new Error('was read');
    };
    const items = [callOf('a'), resultOf('a'), question];
    expect([...repeatedItems(items, { output: [callOf('a')], history })]).toEqual([0]);
  });
});

it.each([
  [true, [callOf('a')]],
  [true, [step]],
  [false, [resultOf('a')]],
  [false, [question]],
])('an input may repeat a call: %s, %j', (may, items) => {
  expect(mayRepeatCalls(Buffer.from(JSON.stringify(items)))).toBe(may);
});
