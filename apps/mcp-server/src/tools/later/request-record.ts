import { DURABLE_REQUEST_STATUSES, type DurableRequestRecord, isFinalRequestStatus } from '@gateway/contracts';
import { z } from 'zod';
import type { ResponseFacts } from '../../gateway.js';
import type { Arguments, PaidTool, ToolContext, ToolResult } from '../../tool.js';
import { invalidArgument } from '../../tool-failure.js';
import { asJsonText, asText, gatewayFacts } from '../content.js';
import { isPathSegment } from '../is-path-segment.js';

/** A request whose result is read by `get_result`. */
const requestRecord = z.looseObject({
  id: z.string(),
  status: z.enum(DURABLE_REQUEST_STATUSES),
  model: z.string(),
  cost: z.looseObject({ held_usd: z.string(), charged_usd: z.string().nullable() }),
});

export const requestOutput = z.looseObject({ request: requestRecord, gateway: gatewayFacts });

/** A tool whose result may come later returns its request instead. A schema without unions can only make both optional. */
export const withLaterOutput = (tool: PaidTool): PaidTool =>
  tool.later === undefined
    ? tool
    : { ...tool, output: tool.output.partial().extend({ gateway: gatewayFacts, request: requestRecord.optional() }) };

export const requestIdInput = z.looseObject({ request_id: z.string().min(1) });
export const requestIdHint = { request_id: 'The id of the request, from a call with wait_seconds.' };

export interface RequestSnapshot {
  readonly request: DurableRequestRecord;
  readonly facts: ResponseFacts;
}

export function requestPath({ request_id: id }: Arguments): string {
  if (!isPathSegment(id)) throw invalidArgument('request_id', 'expected the id of a request.');
  return `/v1/requests/${encodeURIComponent(id)}`;
}

export async function readRequest({ gateway }: ToolContext, path: string): Promise<RequestSnapshot> {
  const response = await gateway.request({ method: 'GET', path });
  return { request: await response.json<DurableRequestRecord>(), facts: response.facts };
}

/** A client of the HTTP interface asked for a stream: no tool does. */
export const isEventStream = ({ response }: DurableRequestRecord): boolean =>
  response?.content_type.startsWith('text/event-stream') === true;

/** The record, with what the calling model does next. */
export function requestResult({ request, facts }: RequestSnapshot): ToolResult {
  const structured = { request, gateway: facts };
  return { structured, content: [asText(nextStep(request)), asJsonText(structured)] };
}

function nextStep(request: DurableRequestRecord): string {
  const { id, status } = request;
  if (!isFinalRequestStatus(status)) return `The request ${id} runs. Call get_result with its id.`;
  if (!isEventStream(request)) return `The request ${id} is ${status}.`;
  return `The request ${id} is ${status}. Its result is an event stream: read it over HTTP at ${request.result_url}.`;
}
