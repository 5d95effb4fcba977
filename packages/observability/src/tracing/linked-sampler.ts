import type { Attributes, Context, Link, SpanKind } from '@opentelemetry/api';
import { type Sampler, SamplingDecision, type SamplingResult } from '@opentelemetry/sdk-trace';

const SAMPLED = 1;

/** Samples a root span with a link as the linked span was sampled, so that both are exported or neither. */
export class LinkedSampler implements Sampler {
  constructor(private readonly unlinked: Sampler) {}

  shouldSample(
    context: Context,
    traceId: string,
    spanName: string,
    kind: SpanKind,
    attributes: Attributes,
    links: Link[],
  ): SamplingResult {
    const [link] = links;
    if (link === undefined) return this.unlinked.shouldSample(context, traceId, spanName, kind, attributes, links);
    const isSampled = (link.context.traceFlags & SAMPLED) === SAMPLED;
    return { decision: isSampled ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
  }

  toString(): string {
    return `LinkedSampler{${this.unlinked.toString()}}`;
  }
}
