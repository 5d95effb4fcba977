import type { Chunk } from '../../completion/chunks.js';
import type { Completion } from '../../completion/completion.js';
import type { StreamScript } from '../vendor-emulator.js';
import { type ChatIdentity, chatUsage, finishReason, newToolCallId } from './chat-completion.js';
import { errorBody, SERVER_ERROR } from './openai-errors.js';

/** Padding of varying length, so that the size of a chunk does not betray its text. */
const PADDINGS = ['a8Jk2', 'x', 'Qw9eRt', 'm3', '7T', 'kL0pZ4vB', 'ynU', 'D5sF1'].map(
  (pad) => `,"obfuscation":"${pad}"`,
);

export interface ChatStreamOptions {
  readonly includesUsage: boolean;
  readonly isObfuscated: boolean;
  readonly hidesUsage: boolean;
}

/** The `chat.completion.chunk` events of one answer. */
export const chatStream = (
  identity: ChatIdentity,
  completion: Completion,
  options: ChatStreamOptions,
): StreamScript => {
  const head = `data: {"id":"${identity.id}","object":"chat.completion.chunk","created":${identity.created},"model":"${identity.model}","service_tier":"default","system_fingerprint":null,"choices":[`;
  const usage = options.includesUsage ? ',"usage":null' : '';
  let chunks = 0;
  const padding = (): string => {
    chunks += 1;
    return options.isObfuscated ? (PADDINGS[chunks % PADDINGS.length] ?? '') : '';
  };
  const frame = (delta: string, finish: string): string =>
    `${head}{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]${usage}${padding()}}\n\n`;

  const toolDelta = (chunk: Chunk): string => {
    const text = JSON.stringify(chunk.text);
    if (!chunk.isFirst) {
      return frame(`{"tool_calls":[{"index":${chunk.tool},"function":{"arguments":${text}}}]}`, 'null');
    }
    const name = JSON.stringify(completion.toolCalls[chunk.tool]?.name);
    const start = `"tool_calls":[{"index":${chunk.tool},"id":"${newToolCallId()}","type":"function","function":{"name":${name},"arguments":""}}]`;
    const delta = chunk.tool === 0 ? `{"role":"assistant","content":null,${start},"refusal":null}` : `{${start}}`;
    return (
      frame(delta, 'null') + frame(`{"tool_calls":[{"index":${chunk.tool},"function":{"arguments":${text}}}]}`, 'null')
    );
  };

  return {
    open: () =>
      completion.toolCalls.length > 0 ? '' : frame('{"role":"assistant","content":"","refusal":null}', 'null'),
    chunk: (chunk) =>
      chunk.kind === 'tool' ? toolDelta(chunk) : frame(`{"content":${JSON.stringify(chunk.text)}}`, 'null'),
    close: () => {
      const last = frame('{}', `"${finishReason(completion)}"`);
      const usageFrame =
        options.includesUsage && !options.hidesUsage
          ? `${head}],"usage":${JSON.stringify(chatUsage(completion.counts))}${padding()}}\n\n`
          : '';
      return `${last}${usageFrame}data: [DONE]\n\n`;
    },
    fail: () => `data: ${JSON.stringify(errorBody(SERVER_ERROR))}\n\n`,
  };
};
