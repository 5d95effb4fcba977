import type { NativeTaskRecord, TaskReading } from '@gateway/contracts';
import { isJsonObject, objectAt, stringAt } from '../failures/error-body.js';
import { malformedResponse } from '../failures/malformed-response.js';
import type { FoundTask, Target } from '../protocol.js';
import { definedFields, readRecord, readSeconds, readSeed, readTaskId, readUrl } from '../task-records/read-record.js';
import { STATES, VENDOR_OFFSET_MS } from './wire.js';

export const readSubmitted = (body: Uint8Array): { readonly upstreamTaskId: string } => ({
  upstreamTaskId: readTaskId(objectAt(readRecord(body), 'output').task_id),
});

/** `2026-11-03 10:15:02.123` on the vendor's clock; undefined for what is no time. */
function timeOf(written: unknown): number | undefined {
  if (typeof written !== 'string') return undefined;
  const timeMs = Date.parse(`${written.replace(' ', 'T')}Z`) - VENDOR_OFFSET_MS;
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

const timesOf = ({ scheduled_time, end_time }: NativeTaskRecord) =>
  definedFields({ startedAtMs: timeOf(scheduled_time), endedAtMs: timeOf(end_time) });

/** The vendor repeats it in every record of a task. */
export const promptOf = (native: NativeTaskRecord): string | undefined =>
  stringAt(objectAt(native, 'output'), 'orig_prompt') || undefined;

/** A task that failed is told under HTTP 200 too: in `output`, or in the older way beside it. */
export function readStatus(body: Uint8Array): TaskReading {
  const native = readRecord(body);
  const output = objectAt(native, 'output');
  const word = stringAt(output, 'task_status');
  if (word === '') throw malformedResponse();
  const state = STATES[word] ?? 'running';
  switch (state) {
    case 'succeeded': {
      const videoUrl = readUrl(output.video_url);
      if (videoUrl === undefined) return { state: 'no_video', native };
      const usage = objectAt(native, 'usage');
      const { output_video_duration, video_duration, duration } = usage;
      return {
        state,
        videoUrl,
        ...definedFields({
          // The plain length counts the seconds of reference videos as well.
          outputSeconds: readSeconds(output_video_duration, video_duration, duration),
          seed: readSeed(output.seed, usage.seed),
        }),
        ...timesOf(output),
        usage,
        native,
      };
    }
    case 'failed':
    case 'cancelled':
    case 'expired':
      return {
        state,
        code: stringAt(native, 'code') || stringAt(output, 'code') || word,
        message: stringAt(native, 'message') || stringAt(output, 'message') || WORDS[state],
        ...timesOf(output),
        native,
      };
    case 'running':
      return { state, ...definedFields({ startedAtMs: timeOf(output.scheduled_time) }), native };
    default:
      return { state, native };
  }
}

const WORDS = {
  failed: 'The upstream failed to make the video.',
  cancelled: 'The task was cancelled.',
  expired: 'The upstream gave the task up.',
} as const;

/** Of the list, the tasks of this model. */
export function readFound(body: Uint8Array, { upstreamModel }: Target): readonly FoundTask[] {
  const { data } = readRecord(body);
  if (!Array.isArray(data)) throw malformedResponse();
  return data
    .filter(isJsonObject)
    .filter(({ model_name }) => model_name === upstreamModel)
    .map(({ task_id, gmt_create }) => {
      if (typeof gmt_create !== 'number') throw malformedResponse();
      return { upstreamTaskId: readTaskId(task_id), submittedAtMs: gmt_create };
    });
}
