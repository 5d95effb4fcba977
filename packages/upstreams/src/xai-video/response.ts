import { isJsonObject, type NativeTaskRecord, type TaskReading } from '@gateway/contracts';
import { malformedResponse } from '../failures/malformed-response.js';
import { objectAt, stringAt } from '../json/read-fields.js';
import {
  definedFields,
  readProgress,
  readRecord,
  readSeconds,
  readSeed,
  readTaskId,
  readTicks,
  readUrl,
  withoutTicks,
} from '../task-records/read-record.js';
import { STATES } from './wire.js';

export const readSubmitted = (body: Uint8Array): { readonly upstreamTaskId: string } => ({
  upstreamTaskId: readTaskId(readRecord(body).request_id),
});

/** Reads a polled task. A pending task has status 202 with any body, also an empty one. */
export function readStatus(body: Uint8Array, httpStatus?: number): TaskReading {
  const reading = readTask(body, httpStatus);
  const { usage } = reading.native;
  if (!isJsonObject(usage) || usage.cost_in_usd_ticks === undefined) return reading;
  const shown = withoutTicks(usage);
  return { ...reading, native: { ...reading.native, usage: shown }, ...('usage' in reading && { usage: shown }) };
}

function readTask(body: Uint8Array, httpStatus?: number): TaskReading {
  const native = body.length === 0 || httpStatus === ACCEPTED ? pendingRecord(body) : readRecord(body);
  const status = statusOf(native);
  const state = STATES[status] ?? 'running';
  switch (state) {
    case 'succeeded':
      return readDone(native);
    case 'failed':
    case 'expired': {
      const error = objectAt(native, 'error');
      return {
        state,
        code: stringAt(error, 'code') || status,
        message: stringAt(error, 'message') || DEFAULT_MESSAGES[state],
        ...(MODERATION.test(stringAt(error, 'code')) && { isModerated: true as const }),
        ...vendorCostOf(native),
        native,
      };
    }
    default:
      return { state: 'running', ...definedFields({ progress: readProgress(native.progress) }), native };
  }
}

const ACCEPTED = 202;

/** Only the status matters while a task is pending: an unreadable body must not end it. */
function pendingRecord(body: Uint8Array): NativeTaskRecord {
  try {
    return { ...readRecord(body), status: 'pending' };
  } catch {
    return { status: 'pending' };
  }
}

/** The vendor may leave out the status: a record with a video is then done, and one that says nothing is pending. */
function statusOf(native: NativeTaskRecord): string {
  const status = stringAt(native, 'status');
  if (status !== '') return status;
  if (readUrl(objectAt(native, 'video').url) !== undefined) return 'done';
  if (native.video === undefined && native.error === undefined) return 'pending';
  throw malformedResponse();
}

/** A video that moderation withheld is `done` without a URL. */
function readDone(native: NativeTaskRecord): TaskReading {
  const video = objectAt(native, 'video');
  const videoUrl = readUrl(video.url);
  if (videoUrl !== undefined) {
    return {
      state: 'succeeded',
      videoUrl,
      ...definedFields({ outputSeconds: readSeconds(video.duration), seed: readSeed(native.seed) }),
      ...vendorCostOf(native),
      usage: objectAt(native, 'usage'),
      native,
    };
  }
  if (video.respect_moderation !== false) return { state: 'no_video', native };
  const code = 'content_moderation';
  return {
    state: 'failed',
    code,
    message: DEFAULT_MESSAGES.moderated,
    isModerated: true,
    ...vendorCostOf(native),
    native,
  };
}

const MODERATION = /moderat/i;

const vendorCostOf = (native: NativeTaskRecord): { readonly vendorCostNanoUsd?: string } =>
  definedFields({ vendorCostNanoUsd: readTicks(objectAt(native, 'usage').cost_in_usd_ticks) });

const DEFAULT_MESSAGES = {
  failed: 'The upstream failed to make the video.',
  expired: 'The upstream did not make the video in time.',
  moderated: 'The video was kept back by the moderation of its upstream.',
} as const;
