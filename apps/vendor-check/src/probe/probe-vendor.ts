import { priceAt, upstreamNameOf, usageCost } from '@gateway/catalogue';
import type { ChannelConfig } from '@gateway/config';
import type { Vendor } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { Target } from '@gateway/upstreams';
import type { CheckContext } from '../context.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { renderTable } from '../table.js';
import { type Finding, judgeResponse } from './judge-response.js';
import { planProbe } from './plan-probe.js';
import type { ProbeCall } from './probe-call.js';

const MISSING_MODEL = 'gateway-probe-no-such-model';

export interface ProbeContext extends CheckContext {
  /** Resolves to false if the person does not agree to the cost. */
  confirm(question: string): Promise<boolean>;
}

/** Makes the cheapest calls of a vendor, and prints what differs from what the adapters expect. */
export async function probeVendor(vendor: Vendor, context: ProbeContext): Promise<ExitCode> {
  const channel = context.config.channels.find((candidate) => candidate.vendor === vendor);
  if (channel === undefined) {
    context.print(`${vendor.toUpperCase()}_API_KEY is not set.`);
    return EXIT.notAsked;
  }
  const { calls, notAsked } = planProbe(vendor, context.nowMs);
  const mostUsd = formatUsd(calls.reduce((sum, call) => sum + mostOf(call, context.nowMs), 0n));
  const question = `${calls.length} calls to ${new URL(channel.baseUrl).host} as ${channel.id} cost at most $${mostUsd}. Continue?`;
  if (!(await context.confirm(question))) return EXIT.notAsked;
  const findings: (readonly [call: ProbeCall, finding: Finding])[] = [];
  for (const call of calls) for (const finding of await probe(call, channel, context)) findings.push([call, finding]);
  const [first] = calls;
  if (first !== undefined) findings.push([first, await probeMissingModel(first, channel, context)]);
  const rows = findings.map(([{ name, model }, { aspect, verdict, detail }]) => [
    name,
    model.id,
    aspect,
    verdict,
    detail,
  ]);
  context.print(renderTable(['call', 'model', 'aspect', 'verdict', 'detail'], rows));
  for (const gap of notAsked) context.print(`not asked: ${gap}`);
  return exitCodeOf(findings.map(([, finding]) => finding));
}

function mostOf({ model, atMost }: ProbeCall, atMs: number): bigint {
  const price = priceAt(model, atMs);
  return price === undefined ? 0n : usageCost({ units: atMost, inputTokensTotal: atMost.input_token ?? 0 }, price);
}

const targetOf = ({ model }: ProbeCall, { baseUrl, credential }: ChannelConfig, context: CheckContext): Target => ({
  baseUrl,
  credential,
  upstreamModel: upstreamNameOf(model, context.config.upstreamModelOverrides),
});

async function probe(call: ProbeCall, channel: ChannelConfig, context: CheckContext): Promise<readonly Finding[]> {
  try {
    const response = await context.call(call.build(targetOf(call, channel, context)));
    return judgeResponse(call, response, context.nowMs);
  } catch (error) {
    return [{ aspect: 'shape', verdict: 'not asked', detail: (error as Error).message }];
  }
}

/** Free: shows that a model which the vendor does not have is taken for one, and not for the client's fault. */
async function probeMissingModel(call: ProbeCall, channel: ChannelConfig, context: CheckContext): Promise<Finding> {
  try {
    const target = { ...targetOf(call, channel, context), upstreamModel: MISSING_MODEL };
    const response = await context.call(call.build(target));
    const { kind } = call.readFailure(response);
    const detail = `a model that does not exist: status ${response.status}, taken for '${kind}'`;
    const isOurs = kind === 'throttled' || kind === 'credential' || kind === 'server';
    return { aspect: 'refusal', verdict: kind === 'model' ? 'as expected' : isOurs ? 'not asked' : 'differs', detail };
  } catch (error) {
    return { aspect: 'refusal', verdict: 'not asked', detail: (error as Error).message };
  }
}

function exitCodeOf(findings: readonly Finding[]): ExitCode {
  if (findings.some(({ verdict }) => verdict === 'differs')) return EXIT.differs;
  return findings.some(({ verdict }) => verdict === 'not asked') ? EXIT.notAsked : EXIT.asExpected;
}
