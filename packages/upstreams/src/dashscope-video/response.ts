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
import { STATES, VENDOR_OFFSET_MS } from './wire.js';

const KNOWN: KnownUsage = {
  counts: new Set([
    ...['duration', 'video_duration', 'input_video_duration', 'output_video_duration'],
    ...['video_count', 'SR', 'fps'],
  ]),
};

export const readSubmitted = (body: Uint8Array): { readonly upstreamTaskId: string } => ({
  upstreamTaskId: readTaskId(objectAt(readRecord(body), 'output').task_id),
});

/** Parses the vendor's `2026-11-03 10:15:02.123` to Unix milliseconds; undefined for anything else. */
function timeOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const timeMs = Date.parse(`${text.replace(' ', 'T')}Z`) - VENDOR_OFFSET_MS;
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

const timesOf = ({ scheduled_time, end_time }: NativeTaskRecord) =>
  definedFields({ startedAtMs: timeOf(scheduled_time), endedAtMs: timeOf(end_time) });

/** Prompt of a task: the vendor repeats it in every record. */
export const promptOf = (native: NativeTaskRecord): string | undefined =>
  stringAt(objectAt(native, 'output'), 'orig_prompt') || undefined;

/** Reads a polled task. A failed task has HTTP 200, with its error in `output` or, in the older form, beside it. */
export function readStatus(body: Uint8Array): TaskReading {
  const native = readRecord(body);
  const output = objectAt(native, 'output');
  const status = stringAt(output, 'task_status');
  if (status === '') throw malformedResponse();
  const state = STATES[status] ?? 'running';
  switch (state) {
    case 'succeeded': {
      const videoUrl = readUrl(output.video_url);
      if (videoUrl === undefined) return { state: 'no_video', native };
      const usage = objectAt(native, 'usage');
      const { output_video_duration, video_duration, duration, input_video_duration } = usage;
      return {
        state,
        videoUrl,
        ...definedFields({
          // `duration` includes the seconds of reference videos.
          outputSeconds: readSeconds(output_video_duration, video_duration, duration),
          inputSeconds: readSeconds(input_video_duration),
          seed: readSeed(output.seed, usage.seed),
        }),
        ...timesOf(output),
        usage,
        ...unpricedPart(usage, KNOWN),
        native,
      };
    }
    case 'failed':
    case 'cancelled':
    case 'expired':
      return {
        state,
        code: stringAt(native, 'code') || stringAt(output, 'code') || status,
        message: stringAt(native, 'message') || stringAt(output, 'message') || DEFAULT_MESSAGES[state],
        ...timesOf(output),
        native,
      };
    case 'running':
      return { state, ...definedFields({ startedAtMs: timeOf(output.scheduled_time) }), native };
    default:
      return { state, native };
  }
}

const DEFAULT_MESSAGES = {
  failed: 'The upstream failed to make the video.',
  cancelled: 'The task was cancelled.',
  expired: 'The upstream abandoned the task.',
} as const;

/** Tasks of this model in a list. `gmt_create` is in Unix milliseconds. */
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
