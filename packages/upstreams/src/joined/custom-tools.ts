import {
  type CustomTool,
  type FunctionTool,
  isJsonObject,
  type NeutralAnswer,
  type StreamPart,
} from '@gateway/contracts';
import type { AnswerSink } from '../protocol.js';
import { JsonTextReader } from './json-text-reader.js';

const INPUT = 'input';
const HINT = 'Put the whole text of the call into the member `input`.';

/** A tool of free text as a function with one text. Its grammar becomes a part of its description. */
export function functionOfCustomTool({ name, description, format }: CustomTool): FunctionTool {
  const { definition, syntax } = format ?? {};
  const grammar =
    typeof definition === 'string' ? `The text must match this ${String(syntax)} grammar:\n${definition}` : '';
  return {
    type: 'function',
    name,
    description: [description, HINT, grammar].filter(Boolean).join('\n\n'),
    parameters: {
      type: 'object',
      properties: { [INPUT]: { type: 'string' } },
      required: [INPUT],
      additionalProperties: false,
    },
  };
}

export const wrappedInput = (input: string): string => JSON.stringify({ [INPUT]: input });

/** The text of a call. What a model wrote without the wrapping stays as it is. */
function unwrappedInput(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    if (isJsonObject(value) && typeof value[INPUT] === 'string') return value[INPUT];
  } catch {
    // The model wrote no JSON: its text is the input.
  }
  return json;
}

/** Turns calls of functions with these names back to calls of tools of free text. */
export const withCustomCalls = (answer: NeutralAnswer, names: ReadonlySet<string>): NeutralAnswer => ({
  ...answer,
  content: answer.content.map((part) =>
    part.type === 'tool-call' && names.has(part.name)
      ? { ...part, kind: 'custom' as const, input: unwrappedInput(part.input) }
      : part,
  ),
});

/** Does the same in a stream, each fragment as it arrives. */
export class CustomCallSink implements AnswerSink {
  readonly #readers = new Map<number, JsonTextReader>();

  constructor(
    private readonly sink: AnswerSink,
    private readonly names: ReadonlySet<string>,
  ) {}

  open(head: Parameters<AnswerSink['open']>[0]): void {
    this.sink.open(head);
  }

  part(part: StreamPart): void {
    if (part.type === 'tool-call' && this.names.has(part.name)) {
      this.#readers.set(part.block, new JsonTextReader(INPUT));
      this.sink.part({ ...part, kind: 'custom' });
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
