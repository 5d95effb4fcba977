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

/** While a task is pending its answer (202) may be empty. */
export function readStatus(body: Uint8Array): TaskReading {
  const native = body.length === 0 ? { status: 'pending' } : readRecord(body);
  const word = stringAt(native, 'status');
  if (word === '') throw malformedResponse();
  const state = STATES[word] ?? 'running';
  switch (state) {
    case 'succeeded':
      return readDone(native);
    case 'failed':
    case 'expired': {
      const error = objectAt(native, 'error');
      return {
        state,
        code: stringAt(error, 'code') || word,
        message: stringAt(error, 'message') || WORDS[state],
        native,
      };
    }
    default:
      return { state: 'running', ...definedFields({ progress: readProgress(native.progress) }), native };
  }
}

/** A video that moderation kept back is done as well, without an address. */
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
  return { state: 'failed', code: 'content_moderation', message: WORDS.moderated, native };
}

const WORDS = {
  failed: 'The upstream failed to make the video.',
  expired: 'The upstream did not make the video in time.',
  moderated: 'The video was kept back by the moderation of its upstream.',
} as const;
