import { GatewayError, type StoredVideoTask } from '@gateway/contracts';
import type { VideoDraft } from './billed-video.js';

/** What a finished draft decides of the final video. Throws a 400 for a task that is no finished draft. */
export function toVideoDraft(task: StoredVideoTask): VideoDraft {
  if (!task.unit.endsWith('_draft')) throw invalidDraft(`${task.publicId} is not a draft`);
  if (task.state !== 'succeeded') throw invalidDraft(`the draft ${task.publicId} has not succeeded`);
  return {
    modelId: task.model,
    durationSeconds: task.durationSeconds,
    aspectRatio: task.aspectRatio,
    isSilent: task.unit.includes('_silent'),
  };
}

const invalidDraft = (why: string): GatewayError =>
  new GatewayError('invalid_request', `'input.content': ${why}.`, { param: 'input.content' });
