import { isJsonObject, type NeutralAnswer, type StreamPart } from '@gateway/contracts';
import type { AnswerSink } from '../protocol.js';
import { CUSTOM_INPUT } from './custom-tools.js';
import { JsonTextReader } from './json-text-reader.js';

/** The client's tool behind a function with another name or another form. */
export interface OwnTool {
  readonly name: string;
  /** A tool of free text: the text is a member of the function's arguments. */
  readonly isWrapped: boolean;
}

/** By the name that is sent. Tools that are sent as they are have no entry. */
export type OwnTools = ReadonlyMap<string, OwnTool>;

/** The text of a call. What a model wrote without the wrapping stays as it is. */
function unwrappedInput(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    if (isJsonObject(value) && typeof value[CUSTOM_INPUT] === 'string') return value[CUSTOM_INPUT];
  } catch {
    // The model wrote no JSON: its text is the input.
  }
  return json;
}

/** Turns calls of these functions back to calls of the client's tools. */
export const withOwnCalls = (answer: NeutralAnswer, tools: OwnTools): NeutralAnswer => ({
  ...answer,
  content: answer.content.map((part) => {
    const own = part.type === 'tool-call' ? tools.get(part.name) : undefined;
    if (part.type !== 'tool-call' || own === undefined) return part;
    const call = { ...part, name: own.name };
    return own.isWrapped ? { ...call, kind: 'custom', input: unwrappedInput(part.input) } : call;
  }),
});

/** Does the same in a stream, each fragment as it arrives. */
export class OwnCallSink implements AnswerSink {
  readonly #readers = new Map<number, JsonTextReader>();

  constructor(
    private readonly sink: AnswerSink,
    private readonly tools: OwnTools,
  ) {}

  open(head: Parameters<AnswerSink['open']>[0]): void {
    this.sink.open(head);
  }

  part(part: StreamPart): void {
    if (part.type === 'tool-call') {
      const own = this.tools.get(part.name);
      if (own?.isWrapped) this.#readers.set(part.block, new JsonTextReader(CUSTOM_INPUT));
      this.sink.part({ ...part, name: own?.name ?? part.name, kind: own?.isWrapped ? 'custom' : part.kind });
    } else if (part.type === 'tool-input' && this.#readers.has(part.block)) {
      this.#input(part.block, this.#readers.get(part.block)?.read(part.delta) ?? '');
    } else {
      if (part.type === 'end') this.#input(part.block, this.#readers.get(part.block)?.end() ?? '');
      this.sink.part(part);
    }
  }

  #input(block: number, delta: string): void {
    if (delta !== '') this.sink.part({ type: 'tool-input', block, delta });
  }
}
