import { upstreamOf } from './upstream.mjs';

/** Nothing in between: what the upstream and the load generator alone can do. */
export function openDirect({ simulatorUrl }) {
  const { origin, path, headers, model } = upstreamOf(simulatorUrl);
  return { name: 'direct', target: { origin, path, headers }, model, pids: () => [] };
}
