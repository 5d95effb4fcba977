import type { ImageCall, Target, WireRequest } from '../protocol.js';

/** The client's request for the upstream's model; references belong to another path of the vendor. */
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
