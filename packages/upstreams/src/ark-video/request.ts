import type { Target, VideoCall, WireRequest } from '../protocol.js';
import { LIST_PAGE_SIZE, TASKS_PATH } from './wire.js';

const headersOf = ({ credential }: Target): Record<string, string> => ({
  authorization: `Bearer ${credential}`,
  accept: 'application/json',
});

const taskUrl = (upstreamTaskId: string, { baseUrl }: Target): string =>
  `${baseUrl}${TASKS_PATH}/${encodeURIComponent(upstreamTaskId)}`;

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

/** Takes a task that waits out of the queue. Of one that has ended it would remove the record: look at the task before. */
export const buildCancel = (upstreamTaskId: string, target: Target): WireRequest => ({
  ...buildPoll(upstreamTaskId, target),
  method: 'DELETE',
});

/** The list has no times to ask for: the newest tasks come first. */
export const buildFind = (_window: object, target: Target): WireRequest => ({
  method: 'GET',
  url: `${target.baseUrl}${TASKS_PATH}?page_num=1&page_size=${LIST_PAGE_SIZE}`,
  headers: headersOf(target),
  body: null,
});
