import type { Target, VideoCall, WireRequest } from '../protocol.js';
import { SUBMIT_PATH, TASKS_PATH } from './wire.js';

const headersOf = ({ credential }: Target): Record<string, string> => ({
  authorization: `Bearer ${credential}`,
  accept: 'application/json',
});

export function buildSubmit({ request: { input, parameters } }: VideoCall, target: Target): WireRequest {
  return {
    method: 'POST',
    url: `${target.baseUrl}${SUBMIT_PATH}`,
    headers: { ...headersOf(target), 'content-type': 'application/json' },
    body: JSON.stringify({ ...input, ...parameters, model: target.upstreamModel }),
  };
}

export const buildPoll = (upstreamTaskId: string, target: Target): WireRequest => ({
  method: 'GET',
  url: `${target.baseUrl}${TASKS_PATH}/${encodeURIComponent(upstreamTaskId)}`,
  headers: headersOf(target),
  body: null,
});
