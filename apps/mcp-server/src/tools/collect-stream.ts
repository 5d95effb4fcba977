import type { ResponseFacts } from '../gateway.js';
import type { JsonObject, ToolContext } from '../tool.js';
import { ToolFailure } from '../tool-failure.js';
import { EventStream } from './event-stream.js';

/** Assembles a complete response from the events of its stream. */
export interface StreamAssembler<Body> {
  /** Adds an event and returns its visible text, for progress. */
  add(event: JsonObject): string;
  /** Undefined while the response is incomplete. */
  result(): Body | undefined;
}

export interface CollectedResponse<Body> {
  readonly response: Body;
  readonly facts: ResponseFacts;
}

/** Requests a stream, reports its text as progress, and returns the complete response. Throws if the stream breaks. */
export async function collectStream<Body>(
  { gateway, progress }: ToolContext,
  path: string,
  body: JsonObject,
  assembler: StreamAssembler<Body>,
): Promise<CollectedResponse<Body>> {
  const opened = await gateway.request({ method: 'POST', path, json: body, headers: { 'x-include-cost': 'true' } });
  const stream = new EventStream(opened.body, opened.facts);
  let characters = 0;
  for await (const event of stream.events()) {
    const text = assembler.add(event);
    characters += text.length;
    if (text !== '') await progress?.(characters, text);
  }
  const result = assembler.result();
  if (result !== undefined) return { response: result, facts: stream.facts };
  throw new ToolFailure('upstream_error', 'The stream ended before the response was complete.', {
    requestId: opened.facts.request_id,
  });
}
