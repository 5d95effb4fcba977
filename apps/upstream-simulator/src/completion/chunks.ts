import { quartersOf } from '../count/quarters.js';
import type { Directives } from '../directives/directives.js';
import type { Completion } from './completion.js';
import { slices } from './text.js';

const DEFAULT_CHUNK_BYTES = 16;

/** One chunk of a completion. */
export interface Chunk {
  readonly kind: 'thinking' | 'text' | 'tool';
  /** Index of the tool call; 0 for other kinds. */
  readonly tool: number;
  readonly text: string;
  readonly quarters: number;
  /** First chunk of its block: thinking, text or one tool call. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const chunkSize = (completion: Completion, directives: Directives): number => {
  if (directives.chunkBytes !== undefined && directives.chunkBytes > 0) return directives.chunkBytes;
  if (directives.chunks !== undefined && directives.chunks > 0) {
    return Math.max(1, Math.ceil((completion.thinking.length + completion.text.length) / directives.chunks));
  }
  return DEFAULT_CHUNK_BYTES;
};

/** In the order of the stream. `sendsToolCallsWhole`: one chunk per tool call. */
export const splitChunks = (completion: Completion, directives: Directives, sendsToolCallsWhole: boolean): Chunk[] => {
  const size = chunkSize(completion, directives);
  const chunks: Chunk[] = [];
  const add = (kind: Chunk['kind'], tool: number, texts: readonly string[]): void => {
    texts.forEach((text, at) => {
      chunks.push({
        kind,
        tool,
        text,
        quarters: quartersOf(text),
        isFirst: at === 0,
        isLast: at === texts.length - 1,
      });
    });
  };
  add('thinking', 0, slices(completion.thinking, size));
  add('text', 0, slices(completion.text, size));
  completion.toolCalls.forEach((call, tool) => {
    add('tool', tool, sendsToolCallsWhole ? [call.argumentsJson] : slices(call.argumentsJson, size));
  });
  return chunks;
};
