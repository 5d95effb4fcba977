import { type ChannelReport, LATENCY_BOUNDS_MS, type ProcessReport } from '@gateway/contracts';
import type { StoredChannelControl } from '@gateway/postgres';
import type { ChannelRecord } from './channels.description.js';

const WINDOW_SECONDS = 300;
/** Below this number of calls a share of errors says little. */
const FEW_CALLS = 5;
const DEGRADED_ERROR_SHARE = 0.2;

/** The reports of one channel, each with its process. */
export type ReportedChannel = readonly { readonly process: ProcessReport; readonly channel: ChannelReport }[];

/** The channels that worker processes report, by id. */
export function channelsById(processes: readonly ProcessReport[]): ReadonlyMap<string, ReportedChannel> {
  const byId = new Map<string, { process: ProcessReport; channel: ChannelReport }[]>();
  for (const process of processes) {
    for (const channel of process.channels) {
      byId.set(channel.id, [...(byId.get(channel.id) ?? []), { process, channel }]);
    }
  }
  return byId;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The upper bound of the latencies of this share of the calls, in milliseconds. Null: no call, or above every bound. */
export function quantileMs(counts: readonly number[], share: number): number | null {
  const wanted = sum(counts) * share;
  if (wanted === 0) return null;
  let seen = 0;
  for (const [place, count] of counts.entries()) {
    seen += count;
    if (seen >= wanted) return LATENCY_BOUNDS_MS[place] ?? null;
  }
  return null;
}

const isClosed = ({ isBroken, cooldownMs }: ChannelReport): boolean => isBroken || cooldownMs > 0;

const isImpaired = (channel: ChannelReport): boolean =>
  isClosed(channel) || channel.brokenAccounts > 0 || channel.modelCooldowns.length > 0;

/** `down`: no process may call it. `degraded`: some may not, or a fifth of its calls fail. */
function healthOf(channels: readonly ChannelReport[], calls: number, failed: number): ChannelRecord['health'] {
  if (channels.length === 0) return 'unknown';
  if (channels.every(isClosed)) return 'down';
  const fails = calls >= FEW_CALLS && failed / calls > DEGRADED_ERROR_SHARE;
  return fails || channels.some(isImpaired) ? 'degraded' : 'healthy';
}

function countErrors(channels: readonly ChannelReport[]): Record<string, number> {
  const errors: Record<string, number> = {};
  for (const channel of channels) {
    for (const [code, count] of Object.entries(channel.errors)) errors[code] = (errors[code] ?? 0) + count;
  }
  return errors;
}

const seconds = (ms: number): number => Math.ceil(ms / 1_000);

/** The longest cooldown of each model. */
function modelCooldowns(channels: readonly ChannelReport[]) {
  const longest = new Map<string, number>();
  for (const { model, cooldownMs } of channels.flatMap((channel) => channel.modelCooldowns)) {
    longest.set(model, Math.max(longest.get(model) ?? 0, cooldownMs));
  }
  return [...longest].map(([model, cooldownMs]) => ({ model, cooldown_seconds: seconds(cooldownMs) }));
}

const processView = ({ process, channel }: ReportedChannel[number]) => ({
  process_id: process.processId,
  service: process.service,
  host: process.host,
  state: channel.state,
  weight: channel.weight,
  in_flight: channel.inFlight,
  is_broken: channel.isBroken,
  broken_accounts: channel.brokenAccounts,
  cooldown_seconds: seconds(channel.cooldownMs),
  retry_tokens: channel.retryTokens,
  reported_at: new Date(process.atMs).toISOString(),
});

function lastErrorOf(channels: readonly ChannelReport[]) {
  const errors = channels.flatMap(({ lastError }) => lastError ?? []);
  const last = errors.sort((one, other) => other.atMs - one.atMs)[0];
  return last === undefined ? null : { code: last.code, status: last.status, at: new Date(last.atMs).toISOString() };
}

function callsView(channels: readonly ChannelReport[]) {
  const calls = sum(channels.map((channel) => channel.calls));
  const errors = countErrors(channels);
  const failed = sum(Object.values(errors));
  const latencies = [...LATENCY_BOUNDS_MS, 0].map((_, place) => sum(channels.map((one) => one.latencies[place] ?? 0)));
  return {
    health: healthOf(channels, calls, failed),
    window_seconds: WINDOW_SECONDS,
    calls,
    failed_calls: failed,
    errors,
    latency_ms: { p50: quantileMs(latencies, 0.5), p95: quantileMs(latencies, 0.95) },
  };
}

/**
 * One channel over all processes, without its credential. `is_applied`: every process that has it does what an
 * administrator has set. Latencies are the upper bounds of their class.
 */
export function channelView(
  id: string,
  reported: ReportedChannel,
  control: StoredChannelControl | undefined,
): ChannelRecord {
  const channels = reported.map(({ channel }) => channel);
  const [first] = channels;
  const configured = first?.configuredWeight ?? null;
  const state = control?.state ?? 'active';
  const weight = control?.weight ?? configured;
  return {
    id,
    vendor: first?.vendor ?? null,
    is_test: first?.isTest ?? null,
    state,
    weight,
    configured_weight: configured,
    is_applied: channels.every((channel) => channel.state === state && channel.weight === weight),
    ...callsView(channels),
    in_flight: sum(channels.map(({ inFlight }) => inFlight)),
    broken_in: channels.filter(({ isBroken }) => isBroken).length,
    broken_accounts: sum(channels.map(({ brokenAccounts }) => brokenAccounts)),
    cooldown_seconds: seconds(Math.max(0, ...channels.map(({ cooldownMs }) => cooldownMs))),
    model_cooldowns: modelCooldowns(channels),
    retry_tokens: sum(channels.map(({ retryTokens }) => retryTokens)),
    last_error: lastErrorOf(channels),
    change:
      control === undefined
        ? null
        : { by: control.changedBy, at: control.changedAt.toISOString(), reason: control.reason },
    processes: reported.map(processView),
  };
}
