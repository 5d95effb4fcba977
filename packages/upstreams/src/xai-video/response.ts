import type { NativeTaskRecord, TaskReading } from '@gateway/contracts';
import { objectAt, stringAt } from '../failures/error-body.js';
import { malformedResponse } from '../failures/malformed-response.js';
import {
  definedFields,
  readProgress,
  readRecord,
  readSeconds,
  readSeed,
  readTaskId,
  readUrl,
} from '../task-records/read-record.js';
import { STATES } from './wire.js';

export const readSubmitted = (body: Uint8Array): { readonly upstreamTaskId: string } => ({
  upstreamTaskId: readTaskId(readRecord(body).request_id),
});

/** Reads a polled task. A pending task may have an empty body (202). */
export function readStatus(body: Uint8Array): TaskReading {
  const native = body.length === 0 ? { status: 'pending' } : readRecord(body);
  const status = stringAt(native, 'status');
  if (status === '') throw malformedResponse();
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
        native,
      };
    }
    default:
      return { state: 'running', ...definedFields({ progress: readProgress(native.progress) }), native };
  }
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
      usage: objectAt(native, 'usage'),
      native,
    };
  }
  if (video.respect_moderation !== false) return { state: 'no_video', native };
  return { state: 'failed', code: 'content_moderation', message: DEFAULT_MESSAGES.moderated, native };
}

const DEFAULT_MESSAGES = {
  failed: 'The upstream failed to make the video.',
  expired: 'The upstream did not make the video in time.',
  moderated: 'The video was kept back by the moderation of its upstream.',
} as const;
