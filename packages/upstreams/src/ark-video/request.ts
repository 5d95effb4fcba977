import type { Target, VideoCall, WireRequest } from '../protocol.js';
import { LIST_PAGE_SIZE, TASKS_PATH } from './wire.js';

const headersOf = ({ credential }: Target): Record<string, string> => ({
  authorization: `Bearer ${credential}`,
  accept: 'application/json',
});

const taskUrl = (upstreamTaskId: string, { baseUrl }: Target): string =>
  `${baseUrl}${TASKS_PATH}/${encodeURIComponent(upstreamTaskId)}`;

/** Merges `input` and `parameters` into one body; the upstream model wins over a client's `model`. */
export function buildSubmit({ request: { input, parameters } }: VideoCall, target: Target): WireRequest {
  return {
    method: 'POST',
    url: `${target.baseUrl}${TASKS_PATH}`,
    headers: { ...headersOf(target), 'content-type': 'application/json' },
    body: JSON.stringify({ ...input, ...parameters, model: target.upstreamModel }),
  };
}

export const buildPoll = (upstreamTaskId: string, target: Target): WireRequest => ({
  method: 'GET',
  url: taskUrl(upstreamTaskId, target),
  headers: headersOf(target),
  body: null,
});

/** Cancels a queued task. For an ended task, DELETE removes the record: poll the task first. */
export const buildCancel = (upstreamTaskId: string, target: Target): WireRequest => ({
  ...buildPoll(upstreamTaskId, target),
  method: 'DELETE',
});

/** The list has no time filter. It starts with the newest tasks. */
export const buildFind = (_window: object, target: Target): WireRequest => ({
  method: 'GET',
  url: `${target.baseUrl}${TASKS_PATH}?page_num=1&page_size=${LIST_PAGE_SIZE}`,
  headers: headersOf(target),
  body: null,
});
