import type { Attributes, Context, Link, SpanKind } from '@opentelemetry/api';
import { type Sampler, SamplingDecision, type SamplingResult } from '@opentelemetry/sdk-trace';

const SAMPLED = 1;

/** For spans without a parent: one that goes back to another is kept if that was, so that no story is kept in part. */
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
