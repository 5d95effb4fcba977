import type { ImageCall, Target, WireRequest } from '../protocol.js';

/** Sends the client's body with the upstream model. Requests with references use the vendor's edit path. */
export function buildRequest({ request }: ImageCall<'xai-images'>, target: Target): WireRequest {
  const isEdit = request.image != null || request.images != null;
  return {
    method: 'POST',
    url: `${target.baseUrl}/v1/images/${isEdit ? 'edits' : 'generations'}`,
    headers: {
      authorization: `Bearer ${target.credential}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({ ...request, model: target.upstreamModel }),
  };
}
