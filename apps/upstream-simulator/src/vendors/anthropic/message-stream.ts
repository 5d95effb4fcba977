import type { Chunk } from '../../completion/chunks.js';
import type { Completion } from '../../completion/completion.js';
import type { StreamScript } from '../vendor-emulator.js';
import {
  hasAnswer,
  inputUsage,
  lastFields,
  type MessageIdentity,
  newToolUseId,
  outputUsage,
  searchBlocks,
  signThinking,
  startUsage,
  stopDetails,
  stopReason,
} from './message.js';

const PING = 'event: ping\ndata: {"type":"ping"}\n\n';
const OVERLOADED =
  'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

/** Named events; each block has its own index. */
export class MessageStream implements StreamScript {
  #index = 0;

  constructor(
    private readonly identity: MessageIdentity,
    private readonly completion: Completion,
  ) {}

  open(): string {
    const { identity, completion } = this;
    const start = event('message_start', {
      message: {
        model: identity.model,
        id: identity.id,
        type: 'message',
        role: 'assistant',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        ...(identity.hidesUsage ? {} : { usage: startUsage(identity, identity.work.startCounts) }),
      },
    });
    const blocks = this.#serverBlocks();
    if (!hasAnswer(identity)) return start + blocks;
    const isOmitted = identity.thinks && completion.thinking === '';
    const thinking = isOmitted ? this.#startThinking() + PING + this.#stopThinking() : '';
    return start + blocks + thinking + this.#searches();
  }

  chunk(chunk: Chunk): string {
    switch (chunk.kind) {
      case 'thinking':
        return this.#block(chunk, 'thinking_delta', 'thinking', this.#startThinking, this.#stopThinking);
      case 'text':
        return this.#block(chunk, 'text_delta', 'text', () => this.#start({ type: 'text', text: '' }), this.#stop);
      case 'tool':
        return this.#block(chunk, 'input_json_delta', 'partial_json', () => this.#startTool(chunk.tool), this.#stop);
    }
  }

  close(): string {
    const { identity, completion } = this;
    const delta = event('message_delta', {
      delta: {
        stop_reason: stopReason(identity, completion),
        stop_sequence: completion.stopSequence,
        ...(identity.isRefused && { stop_details: stopDetails(identity) }),
      },
      ...lastFields(identity),
      ...(identity.hidesUsage
        ? {}
        : { usage: { ...inputUsage(identity.work.counts), ...outputUsage(identity, identity.work.counts) } }),
    });
    return `${delta}event: message_stop\ndata: {"type":"message_stop"}\n\n`;
  }

  fail(): string {
    return OVERLOADED;
  }

  #block(chunk: Chunk, type: string, field: string, start: () => string, stop: () => string): string {
    const opening = chunk.isFirst ? start() + (this.#index === 0 ? PING : '') : '';
    const frames = opening + this.#delta(type, field, JSON.stringify(chunk.text));
    return chunk.isLast ? frames + stop() : frames;
  }

  #delta(type: string, field: string, json: string): string {
    return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},"delta":{"type":"${type}","${field}":${json}}}\n\n`;
  }

  #start(block: object): string {
    return event('content_block_start', { index: this.#index, content_block: block });
  }

  readonly #stop = (): string => {
    const frame = event('content_block_stop', { index: this.#index });
    this.#index += 1;
    return frame;
  };

  /** A compaction comes as a delta of its block; other blocks come whole. */
  #serverBlocks(): string {
    return this.identity.work.blocks
      .map((block) =>
        block.type === 'compaction'
          ? this.#start({ ...block, content: null }) +
            this.#delta('compaction_delta', 'content', JSON.stringify(block.content)) +
            this.#stop()
          : this.#start(block) + this.#stop(),
      )
      .join('');
  }

  #searches(): string {
    return searchBlocks(this.completion.counts.webSearches ?? 0)
      .map((block) => this.#start(block) + this.#stop())
      .join('');
  }

  readonly #startThinking = (): string => this.#start({ type: 'thinking', thinking: '', signature: '' });
  readonly #stopThinking = (): string =>
    this.#delta('signature_delta', 'signature', JSON.stringify(signThinking(this.completion.thinking))) + this.#stop();

  /** The vendor sends one empty chunk of arguments first. */
  #startTool(tool: number): string {
    const name = this.completion.toolCalls[tool]?.name;
    return (
      this.#start({ type: 'tool_use', id: newToolUseId(), name, input: {} }) +
      this.#delta('input_json_delta', 'partial_json', '""')
    );
  }
}
