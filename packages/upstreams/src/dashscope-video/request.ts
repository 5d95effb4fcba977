import type { Target, VideoCall, WireRequest } from '../protocol.js';
import { LIST_PAGE_SIZE, SUBMIT_PATH, TASKS_PATH, VENDOR_OFFSET_MS } from './wire.js';

const headersOf = ({ credential }: Target): Record<string, string> => ({
  authorization: `Bearer ${credential}`,
  accept: 'application/json',
});

const taskUrl = (upstreamTaskId: string, { baseUrl }: Target): string =>
  `${baseUrl}${TASKS_PATH}/${encodeURIComponent(upstreamTaskId)}`;

/** Files in the vendor's object store (`oss://`) need an extra header. */
export function buildSubmit({ request: { input, parameters } }: VideoCall, target: Target): WireRequest {
  const body = JSON.stringify({ model: target.upstreamModel, input, parameters });
  return {
    method: 'POST',
    url: `${target.baseUrl}${SUBMIT_PATH}`,
    headers: {
      ...headersOf(target),
      'content-type': 'application/json',
      'x-dashscope-async': 'enable',
      ...(body.includes('"oss://') && { 'x-dashscope-ossresourceresolve': 'enable' }),
    },
    body,
  };
}

export const buildPoll = (upstreamTaskId: string, target: Target): WireRequest => ({
  method: 'GET',
  url: taskUrl(upstreamTaskId, target),
  headers: headersOf(target),
  body: null,
});

export const buildCancel = (upstreamTaskId: string, target: Target): WireRequest => ({
  method: 'POST',
  url: `${taskUrl(upstreamTaskId, target)}/cancel`,
  headers: headersOf(target),
  body: null,
});

/** Formats a time as the vendor's `20261103101502`. */
const vendorTime = (timeMs: number): string =>
  new Date(timeMs + VENDOR_OFFSET_MS).toISOString().replace(/\D/g, '').slice(0, 14);

/** The list filters by whole seconds: `end_time` rounds up. */
export function buildFind({ sinceMs, untilMs }: { sinceMs: number; untilMs: number }, target: Target): WireRequest {
  const query = new URLSearchParams({
    start_time: vendorTime(sinceMs),
    end_time: vendorTime(untilMs + 999),
    model_name: target.upstreamModel,
    page_no: '1',
    page_size: String(LIST_PAGE_SIZE),
  });
  return {
    method: 'GET',
    url: `${target.baseUrl}${TASKS_PATH}/?${query}`,
    headers: headersOf(target),
    body: null,
  };
}
