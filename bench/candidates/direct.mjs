import { upstreamOf } from './upstream.mjs';

/** No gateway: the limit of the upstream and the load generator. */
export function openDirect({ simulatorUrl }) {
  const { origin, path, headers, model } = upstreamOf(simulatorUrl);
  return { name: 'direct', target: { origin, path, headers }, model, parts: () => ({}) };
}
