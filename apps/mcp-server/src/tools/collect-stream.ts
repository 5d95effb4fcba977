import type { ResponseFacts } from '../gateway.js';
import type { JsonObject, ToolCall } from '../tool.js';
import { ToolFailure } from '../tool-failure.js';
import { EventStream } from './event-stream.js';

/** Assembles a whole response from the events of its stream. */
export interface StreamAssembler<Whole> {
  /** Adds an event and returns its visible text, for progress. */
  add(event: JsonObject): string;
  /** Undefined while the response is incomplete. */
  whole(): Whole | undefined;
}

export interface Collected<Whole> {
  readonly response: Whole;
  readonly facts: ResponseFacts;
}

/** Requests a stream, reports its text as progress, and returns the whole response. Throws if the stream breaks. */
export async function collectStream<Whole>(
  { gateway, progress }: ToolCall,
  path: string,
  body: JsonObject,
  assembler: StreamAssembler<Whole>,
): Promise<Collected<Whole>> {
  const opened = await gateway.request({ method: 'POST', path, json: body, headers: { 'x-include-cost': 'true' } });
  const stream = new EventStream(opened.body, opened.facts);
  let characters = 0;
  for await (const event of stream.events()) {
    const text = assembler.add(event);
    characters += text.length;
    if (text !== '') await progress?.(characters, text);
  }
  const whole = assembler.whole();
  if (whole !== undefined) return { response: whole, facts: stream.facts };
  throw new ToolFailure('upstream_error', 'The stream ended before the response was complete.', {
    requestId: opened.facts.request_id,
  });
}
