import type { Directives } from '../directives/directives.js';
import type { Answer } from './answer.js';
import { slices } from './cut-text.js';

const DEFAULT_PIECE_BYTES = 16;

/** One chunk's worth of an answer. */
export interface Piece {
  readonly kind: 'thinking' | 'text' | 'tool';
  /** Which tool call, from 0; 0 for the others. */
  readonly tool: number;
  readonly text: string;
  readonly bytes: number;
  /** True for the first piece of its block (thinking, text or tool call). */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const pieceSize = (answer: Answer, directives: Directives): number => {
  if (directives.chunkBytes !== undefined && directives.chunkBytes > 0) {
    return directives.chunkBytes;
  }
  if (directives.chunks !== undefined && directives.chunks > 0) {
    return Math.max(1, Math.ceil((answer.thinking.length + answer.text.length) / directives.chunks));
  }
  return DEFAULT_PIECE_BYTES;
};

/** The answer in the order in which it is streamed. `keepsToolsWhole`: the protocol sends the arguments of a call at once. */
export const cutPieces = (answer: Answer, directives: Directives, keepsToolsWhole: boolean): Piece[] => {
  const size = pieceSize(answer, directives);
  const pieces: Piece[] = [];
  const add = (kind: Piece['kind'], tool: number, texts: readonly string[]): void => {
    texts.forEach((text, at) => {
      pieces.push({
        kind,
        tool,
        text,
        bytes: Buffer.byteLength(text),
        isFirst: at === 0,
        isLast: at === texts.length - 1,
      });
    });
  };
  add('thinking', 0, slices(answer.thinking, size));
  add('text', 0, slices(answer.text, size));
  answer.toolCalls.forEach((call, tool) => {
    add('tool', tool, keepsToolsWhole ? [call.argumentsJson] : slices(call.argumentsJson, size));
  });
  return pieces;
};
