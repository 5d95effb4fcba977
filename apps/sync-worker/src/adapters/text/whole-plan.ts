import type { ModelWithCapability } from '@gateway/catalogue';
import { parseExactJson } from '@gateway/contracts';
import { EVENT_STREAM } from '../bind-protocol.js';
import type { ExecutionPlan, WholePlan } from '../execution-plan.js';

/** True for a client that asks a model for a stream that its upstream does not have. */
export const mustStreamWhole = ({ chat }: ModelWithCapability<'chat'>, streams: boolean): boolean =>
  streams && chat.traits.neverStreams === true;

/** Plans the same request without its stream. `plan`: the planner of the endpoint. */
export function planWhole(
  body: Buffer,
  plan: (unstreamed: Buffer) => ExecutionPlan,
  toStream: WholePlan['toStream'],
): WholePlan {
  const { stream_options: _options, ...request } = parseExactJson(body.toString('utf8')) as Record<string, unknown>;
  return wholePlan(plan(Buffer.from(JSON.stringify({ ...request, stream: false }))), { toStream });
}

/** Makes a stream of the answer of a plan that does not stream. */
export function wholePlan(
  adapter: ExecutionPlan,
  { contentType = EVENT_STREAM, ...form }: Pick<WholePlan, 'toStream' | 'progress'> & { readonly contentType?: string },
): WholePlan {
  if (adapter.kind !== 'unary' && adapter.kind !== 'stream') throw new Error('a whole answer needs one upstream call');
  return { kind: 'whole', adapter, contentType, ...form };
}
