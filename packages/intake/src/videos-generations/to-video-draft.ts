import { GatewayError, type StoredVideoTask } from '@gateway/contracts';
import type { VideoDraft } from './billed-video.js';

/** The properties that the final video inherits from its draft. Throws a 400 for a task that is no finished draft. */
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

const invalidDraft = (problem: string): GatewayError =>
  new GatewayError('invalid_request', `'input.content': ${problem}.`, { param: 'input.content' });
