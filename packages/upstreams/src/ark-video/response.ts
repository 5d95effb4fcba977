import { isJsonObject, type NativeTaskRecord, type TaskReading } from '@gateway/contracts';
import { malformedResponse } from '../failures/malformed-response.js';
import { objectAt, stringAt } from '../json/read-fields.js';
import type { KnownUsage } from '../metering/unpriced-usage.js';
import type { FoundTask, Target } from '../protocol.js';
import {
  definedFields,
  readRecord,
  readSeconds,
  readSeed,
  readTaskId,
  readUrl,
  unpricedPart,
} from '../task-records/read-record.js';
import { STATES } from './wire.js';

/** Tokens are the vendor's unit of the seconds that are sold. */
const KNOWN: KnownUsage = { counts: new Set(['completion_tokens', 'total_tokens']) };

export const readSubmitted = (body: Uint8Array): { readonly upstreamTaskId: string } => ({
  upstreamTaskId: readTaskId(readRecord(body).id),
});

const MILLISECONDS = 1_000;

/** The vendor never updates an ended record, so `updated_at` is its end. */
const endOf = ({ updated_at }: NativeTaskRecord) =>
  typeof updated_at === 'number' ? { endedAtMs: updated_at * MILLISECONDS } : {};

/** A record has either `duration` (seconds) or `frames` with `framespersecond`. */
function secondsOf({ duration, frames, framespersecond }: NativeTaskRecord): number | undefined {
  const count = readSeconds(frames);
  const rate = readSeconds(framespersecond);
  return readSeconds(duration) ?? (count !== undefined && rate !== undefined && rate > 0 ? count / rate : undefined);
}

/** Reads a polled task. A succeeded task without a video URL has the state `no_video`. */
export function readStatus(body: Uint8Array): TaskReading {
  const native = readRecord(body);
  const status = stringAt(native, 'status');
  if (status === '') throw malformedResponse();
  const state = STATES[status] ?? 'running';
  switch (state) {
    case 'succeeded': {
      const content = objectAt(native, 'content');
      const videoUrl = readUrl(content.video_url);
      if (videoUrl === undefined) return { state: 'no_video', native };
      return {
        state,
        videoUrl,
        ...definedFields({
          lastFrameUrl: readUrl(content.last_frame_url),
          outputSeconds: secondsOf(native),
          seed: readSeed(native.seed),
        }),
        usage: objectAt(native, 'usage'),
        ...unpricedPart(native.usage, KNOWN),
        ...endOf(native),
        native,
      };
    }
    case 'failed':
    case 'cancelled':
    case 'expired': {
      const error = objectAt(native, 'error');
      return {
        state,
        code: stringAt(error, 'code') || status,
        message: stringAt(error, 'message') || DEFAULT_MESSAGES[state],
        ...endOf(native),
        native,
      };
    }
    default:
      return { state, native };
  }
}

const DEFAULT_MESSAGES = {
  failed: 'The upstream failed to make the video.',
  cancelled: 'The task was cancelled.',
  expired: 'The upstream did not make the video in time.',
} as const;

/** Tasks of this model in a list. `created_at` is in whole seconds. */
export function readFound(body: Uint8Array, { upstreamModel }: Target): readonly FoundTask[] {
  const { items } = readRecord(body);
  if (!Array.isArray(items)) throw malformedResponse();
  return items
    .filter(isJsonObject)
    .filter(({ model }) => model === upstreamModel)
    .map(({ id, created_at }) => {
      if (typeof created_at !== 'number') throw malformedResponse();
      return { upstreamTaskId: readTaskId(id), submittedAtMs: created_at * MILLISECONDS };
    });
}
