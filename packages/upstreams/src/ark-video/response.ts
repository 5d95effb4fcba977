import type { NativeTaskRecord, TaskReading } from '@gateway/contracts';
import { isJsonObject, objectAt, stringAt } from '../failures/error-body.js';
import { malformedResponse } from '../failures/malformed-response.js';
import type { FoundTask, Target } from '../protocol.js';
import { definedFields, readRecord, readSeconds, readSeed, readTaskId, readUrl } from '../task-records/read-record.js';
import { STATES } from './wire.js';

export const readSubmitted = (body: Uint8Array): { readonly upstreamTaskId: string } => ({
  upstreamTaskId: readTaskId(readRecord(body).id),
});

const MILLISECONDS = 1_000;

/** A record that has ended is not changed again. */
const endOf = ({ updated_at }: NativeTaskRecord) =>
  typeof updated_at === 'number' ? { endedAtMs: updated_at * MILLISECONDS } : {};

/** A record tells either its length or its frames. */
function secondsOf({ duration, frames, framespersecond }: NativeTaskRecord): number | undefined {
  const count = readSeconds(frames);
  const rate = readSeconds(framespersecond);
  return readSeconds(duration) ?? (count !== undefined && rate !== undefined && rate > 0 ? count / rate : undefined);
}

export function readStatus(body: Uint8Array): TaskReading {
  const native = readRecord(body);
  const word = stringAt(native, 'status');
  if (word === '') throw malformedResponse();
  const state = STATES[word] ?? 'running';
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
        code: stringAt(error, 'code') || word,
        message: stringAt(error, 'message') || WORDS[state],
        ...endOf(native),
        native,
      };
    }
    default:
      return { state, native };
  }
}

const WORDS = {
  failed: 'The upstream failed to make the video.',
  cancelled: 'The task was cancelled.',
  expired: 'The upstream did not make the video in time.',
} as const;

/** Of the list, the tasks of this model; the vendor knows whole seconds only. */
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
