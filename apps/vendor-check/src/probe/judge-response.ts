import { priceAt, usageCost } from '@gateway/catalogue';
import { isGatewayError, type Usage } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import { isSuccess, type VendorResponse } from '../call-vendor.js';
import type { ProbeCall } from './probe-call.js';
import { statedCostNanoUsd, unknownCounters, usagesIn } from './usage-facts.js';

/** `not asked`: the call could not be made. `not stated`: the response does not say it, and that is as expected. */
export type Verdict = 'as expected' | 'differs' | 'not stated' | 'not asked';

export interface Finding {
  readonly aspect: 'shape' | 'usage' | 'cost' | 'refusal';
  readonly verdict: Verdict;
  readonly detail: string;
}

/** Compares a vendor's response with what the adapter and the catalogue expect. */
export function judgeResponse(call: ProbeCall, response: VendorResponse, atMs: number): readonly Finding[] {
  if (!isSuccess(response)) return [judgeFailure(call, response)];
  let usage: Usage;
  try {
    usage = call.read(response.body);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return [{ aspect: 'shape', verdict: 'differs', detail: `the adapter cannot read it: ${error.message}` }];
  }
  const shape: Finding = { aspect: 'shape', verdict: 'as expected', detail: 'the adapter reads it' };
  const usages = usagesIn(Buffer.from(response.body).toString('utf8'));
  return [shape, judgeUsage(call, usage, usages), judgeCost(call, usage, usages, atMs)];
}

/** A refusal for our account or its rate is no difference of the protocol. */
function judgeFailure(call: ProbeCall, response: VendorResponse): Finding {
  const { kind } = call.readFailure(response);
  const detail = `status ${response.status}, which the adapter takes for '${kind}'`;
  const verdict = kind === 'request' || kind === 'model' ? 'differs' : 'not asked';
  return { aspect: 'shape', verdict, detail };
}

function judgeUsage(call: ProbeCall, usage: Usage, usages: readonly Record<string, unknown>[]): Finding {
  const counts = Object.entries(usage.units).filter(([, count]) => count !== undefined && count > 0);
  const shown = counts.map(([unit, count]) => `${unit}=${count}`).join(' ');
  const problems = [
    ...(usage.isEstimated ? ['the vendor sent no count, so this is an estimate'] : []),
    ...(counts.length === 0 ? ['nothing was counted'] : []),
    ...counts
      .filter(([unit, count]) => count > Math.max(1, (call.atMost as Record<string, number>)[unit] ?? 0) * 2)
      .map(
        ([unit, count]) =>
          `${unit} is ${count}, expected at most ${(call.atMost as Record<string, number>)[unit] ?? 0}`,
      ),
    ...[...new Set(usages.flatMap((found) => unknownCounters(found)))].map((path) => `unknown counter '${path}'`),
  ];
  return problems.length === 0
    ? { aspect: 'usage', verdict: 'as expected', detail: shown }
    : { aspect: 'usage', verdict: 'differs', detail: [shown, ...problems].filter(Boolean).join('; ') };
}

function judgeCost(call: ProbeCall, usage: Usage, usages: readonly Record<string, unknown>[], atMs: number): Finding {
  const price = priceAt(call.model, atMs);
  const unpriced = Object.keys(usage.units).filter((unit) => !(unit in (price?.perMillion ?? {})));
  if (price === undefined || unpriced.length > 0)
    return { aspect: 'cost', verdict: 'differs', detail: `no price for ${unpriced.join(', ') || call.model.id}` };
  const ours = usageCost(usage, price);
  const stated = statedCostNanoUsd(usages);
  if (stated === undefined) {
    const detail = `$${formatUsd(ours)} by ${price.version}; compare the vendor's console`;
    return { aspect: 'cost', verdict: 'not stated', detail };
  }
  const verdict = stated === ours ? 'as expected' : 'differs';
  return {
    aspect: 'cost',
    verdict,
    detail: `$${formatUsd(ours)} by ${price.version}; the vendor: $${formatUsd(stated)}`,
  };
}
