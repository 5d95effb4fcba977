import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '@gateway/contracts';

/** A shorter time would end before its client reads the result, a longer one is no result any more but a file. */
const MIN_RETAIN_SECONDS = 60;
const MAX_RETAIN_SECONDS = 30 * 24 * 3_600;
/** A longer wait ends here: proxies on the way give up about then. */
const MAX_WAIT_SECONDS = 300;

/** The client takes its response later. */
export interface AsyncPreference {
  /** Until then it waits for the whole response; 0: it does not wait. */
  readonly waitMs: number;
  /** It reads the stream now, and may attach to it again. */
  readonly isResumable: boolean;
  /** How long its result is kept after its deadline. Absent: as long as those of its account. */
  readonly retentionMs?: number;
  /** `Preference-Applied` of the response. */
  readonly applied: string;
}

/**
 * The client's `Prefer` header (RFC 7240): `respond-async`, `wait=<seconds>`, both, or `resumable` for a stream of
 * server-sent events; beside one of them `retain=<seconds>`. Undefined: it waits for the response as usual. Other preferences
 * are ignored, as the RFC demands. Throws a 400 for a number that is no whole one.
 */
export function readPreference({ prefer }: IncomingHttpHeaders, isStream: boolean): AsyncPreference | undefined {
  if (prefer === undefined) return undefined;
  const entries = entriesOf(String(prefer));
  const preference = readWait(entries, isStream);
  const seconds = retainSecondsIn(entries);
  if (preference === undefined || seconds === undefined) return preference;
  return { ...preference, retentionMs: seconds * 1_000, applied: `${preference.applied}, retain=${seconds}` };
}

/** How long its client keeps the files of a video, which is taken later without a preference. Throws as `readPreference`. */
export const readRetainSeconds = ({ prefer }: IncomingHttpHeaders): number | undefined =>
  prefer === undefined ? undefined : retainSecondsIn(entriesOf(String(prefer)));

function retainSecondsIn(entries: Entries): number | undefined {
  const retain = entries.find(([name]) => name?.toLowerCase() === 'retain');
  if (retain === undefined) return undefined;
  return Math.min(Math.max(secondsOf(retain[1]), MIN_RETAIN_SECONDS), MAX_RETAIN_SECONDS);
}

type Entries = readonly (readonly string[])[];

function entriesOf(prefer: string): Entries {
  return prefer.split(',').map(
    (entry) =>
      entry
        .split(';', 1)[0]
        ?.split('=', 2)
        .map((part) => part.trim()) ?? [],
  );
}

function readWait(entries: Entries, isStream: boolean): AsyncPreference | undefined {
  const isAsync = entries.some(([name]) => name?.toLowerCase() === 'respond-async');
  const wait = entries.find(([name]) => name?.toLowerCase() === 'wait');
  const isResumable =
    isStream && !isAsync && wait === undefined && entries.some(([name]) => name?.toLowerCase() === 'resumable');
  if (isResumable) return { waitMs: 0, isResumable, applied: 'resumable' };
  if (wait === undefined) return isAsync ? { waitMs: 0, isResumable, applied: 'respond-async' } : undefined;
  const seconds = Math.min(secondsOf(wait[1]), MAX_WAIT_SECONDS);
  return { waitMs: seconds * 1_000, isResumable, applied: `${isAsync ? 'respond-async, ' : ''}wait=${seconds}` };
}

function secondsOf(text: string | undefined): number {
  const digits = /^"?(\d+)"?$/.exec(text ?? '')?.[1];
  if (digits !== undefined) return Number(digits);
  throw new GatewayError('invalid_request', "'Prefer': expected a whole number of seconds, as in 'wait=20'.", {
    param: 'Prefer',
  });
}
