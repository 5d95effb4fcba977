import { describe, expect, it } from '@jest/globals';
import { quartersOf } from '../count/quarters.js';
import { PromptTally } from '../count/tokens.js';
import { readDirectives } from '../directives/directives.js';
import { splitChunks } from './chunks.js';
import { composeCompletion, type GenerationRequest } from './compose-completion.js';

const tool = (name: string) => ({ name, schema: { type: 'object', properties: { q: { type: 'string' } } } });

const requestOf = (prompt: string, more: Partial<GenerationRequest> = {}): GenerationRequest => {
  const tally = new PromptTally(prompt);
  tally.lastUserText = prompt;
  return {
    tally,
    directives: readDirectives(tally.directed),
    tools: [],
    toolChoice: 'auto',
    allowsParallelTools: true,
    json: null,
    maxTokens: undefined,
    capsThinking: true,
    stopSequences: [],
    thinking: null,
    ...more,
  };
};

describe('composeCompletion', () => {
  it('reports what it received', () => {
    expect(composeCompletion(requestOf('Hello')).text).toBe('I received 5 bytes. You said: Hello');
  });

  it('has exactly the requested tokens', () => {
    const { text, counts } = composeCompletion(
      requestOf('{{sim completion_tokens=1000 prompt_tokens=7 cached_tokens=3}}'),
    );
    expect(text.length).toBe(4_000);
    expect(counts).toMatchObject({ inputTokens: 7, cachedTokens: 3, visibleTokens: 1_000 });
  });

  it('stops at the token limit', () => {
    const completion = composeCompletion(requestOf('{{sim words=100}}', { maxTokens: 10 }));
    expect(completion.finish).toBe('length');
    expect(completion.counts.visibleTokens).toBe(10);
  });

  it('counts thinking towards the token limit', () => {
    const thinking = { isShown: true, defaultTokens: 8 };
    const completion = composeCompletion(requestOf('{{sim words=100}}', { maxTokens: 10, thinking }));
    expect(completion.counts).toMatchObject({ reasoningTokens: 8, visibleTokens: 2 });
  });

  it('never splits a character at the limit', () => {
    const completion = composeCompletion(requestOf('日本日本日本', { maxTokens: 13 }));
    expect(Buffer.byteLength(completion.text)).toBeLessThanOrEqual(52);
    expect(completion.text).not.toContain('\uFFFD');
  });

  it('calls a tool if the user mentions one, or if required by request or directive', () => {
    const tools = [tool('a'), tool('b')];
    const names = (request: GenerationRequest) => composeCompletion(request).toolCalls.map((call) => call.name);
    expect(names(requestOf('hello', { tools }))).toEqual([]);
    expect(names(requestOf('use a tool', { tools }))).toEqual(['a']);
    expect(names(requestOf('hello', { tools, toolChoice: 'required' }))).toEqual(['a']);
    expect(names(requestOf('hello', { tools, toolChoice: { name: 'b' } }))).toEqual(['b']);
    expect(names(requestOf('hello {{sim tool=b}}', { tools }))).toEqual(['b']);
    expect(names(requestOf('hello {{sim tools=2}}', { tools }))).toEqual(['a', 'b']);
    expect(names(requestOf('hello {{sim tools=2}}', { tools, allowsParallelTools: false }))).toEqual(['a']);
    expect(names(requestOf('use a tool', { tools, toolChoice: 'none' }))).toEqual([]);
  });

  it('calls a tool for a question with a word of its name', () => {
    const tools = [tool('get_weather')];
    const calls = (prompt: string) => composeCompletion(requestOf(prompt, { tools })).toolCalls.length;
    expect(calls("What's the weather like in Rome?")).toBe(1);
    expect(calls('The weather is fine.')).toBe(0);
    expect(calls('Can you get it?')).toBe(0);
  });

  it('quotes the result of a tool', () => {
    const request = requestOf('use a tool', { tools: [tool('a')] });
    request.tally.addToolResult('12C');
    expect(composeCompletion(request).text).toBe('The tool answered: 12C.');
  });

  it('calls a tool after a result if the request requires one, as vendors do', () => {
    const names = (more: Partial<GenerationRequest>) => {
      const request = requestOf('go on {{sim tool=a tools=2}}', { tools: [tool('a'), tool('answer')], ...more });
      request.tally.addToolResult('12C');
      return composeCompletion(request).toolCalls.map((call) => call.name);
    };
    expect(names({ toolChoice: 'auto' })).toEqual([]);
    expect(names({ toolChoice: 'required' })).toEqual(['answer']);
    expect(names({ toolChoice: { name: 'a' } })).toEqual(['a']);
  });

  it('ends at a stop sequence', () => {
    const completion = composeCompletion(requestOf('{{sim words=30}}', { stopSequences: ['old', 'runs'] }));
    expect(completion).toMatchObject({ text: 'the river ', finish: 'stop_sequence', stopSequence: 'runs' });
  });
});

describe('splitChunks', () => {
  it('returns the requested number of chunks of the requested size', () => {
    const request = requestOf('{{sim chunks=5 chunk_bytes=7}}');
    const chunks = splitChunks(composeCompletion(request), request.directives, false);
    expect(chunks.map((chunk) => chunk.quarters)).toEqual([7, 7, 7, 7, 7]);
  });

  it('loses no byte and splits no character', () => {
    const request = requestOf('😀é日 {{sim chunk_bytes=1}}');
    const completion = composeCompletion(request);
    const chunks = splitChunks(completion, request.directives, false);
    expect(chunks.map((chunk) => chunk.text).join('')).toBe(completion.text);
    expect(chunks.reduce((sum, chunk) => sum + chunk.quarters, 0)).toBe(quartersOf(completion.text));
  });
});
