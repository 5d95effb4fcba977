import { describe, expect, it } from '@jest/globals';
import { readDirectives, stripDirectives, UnknownDirective, withoutFaults } from './directives.js';
import { RepeatCounter } from './repeat-counter.js';

describe('directives', () => {
  it('reads values and flags; a later one wins', () => {
    expect(readDirectives(['a {{sim status=500 times=2}} b', '{{sim hang status=429 tool=get_weather}}'])).toEqual({
      status: 429,
      times: 2,
      hangs: true,
      tool: 'get_weather',
    });
  });

  it.each([
    '{{sim sttus=500}}',
    '{{sim words=many}}',
    '{{sim words}}',
    '{{sim words=-1}}',
    '{{sim task_duration=601}}',
    '{{sim toString=1}}',
  ])('refuses %s', (text) => {
    expect(() => readDirectives([text])).toThrow(UnknownDirective);
  });

  it("keeps the response's shape without its faults", () => {
    const directives = readDirectives(['{{sim status=500 words=9 delay_ms=5 no_usage}}']);
    expect(withoutFaults(directives)).toEqual({ words: 9 });
  });

  it('are stripped from the echo', () => {
    expect(stripDirectives('say {{sim words=3}} hi {{sim hang}}')).toBe('say  hi');
  });
});

describe('times', () => {
  it('counts by prompt and vendor', () => {
    const counter = new RepeatCounter();
    const prompt = ['x {{sim status=500 times=2}}'];
    const statuses = [1, 2, 3].map(() => counter.activeDirectives('openai', prompt).status);
    expect(statuses).toEqual([500, 500, undefined]);
    expect(counter.activeDirectives('gemini', prompt).status).toBe(500);
    expect(counter.activeDirectives('openai', ['y {{sim status=500 times=2}}']).status).toBe(500);
  });
});
