import type { SpeechCall, Target, WireRequest } from '../protocol.js';
import type { DashScopeSpeechBody } from './wire.js';

/** Builds a streaming request: the vendor returns the audio as base64 events. */
export function buildRequest({ request }: SpeechCall, target: Target): WireRequest {
  const { text, voice, instructions } = request;
  const body: DashScopeSpeechBody = {
    model: target.upstreamModel,
    input: { text, voice, ...(instructions !== undefined && { instructions }) },
  };
  return {
    method: 'POST',
    url: `${target.baseUrl}/api/v1/services/aigc/multimodal-generation/generation`,
    headers: {
      authorization: `Bearer ${target.credential}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'x-dashscope-sse': 'enable',
    },
    body: JSON.stringify(body),
  };
}
