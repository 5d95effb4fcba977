import { GatewayError, type StoredVideoTask } from '@gateway/contracts';
import type { VideoDraft } from './billed-video.js';

/** A finished draft as what it decides of the whole video. Throws a 400 for a task that is none. */
export function toVideoDraft(task: StoredVideoTask): VideoDraft {
  if (!task.unit.endsWith('_draft')) throw wrong(`${task.publicId} is not a draft`);
  if (task.state !== 'succeeded') throw wrong(`the draft ${task.publicId} has not succeeded`);
  return {
    modelId: task.model,
    durationSeconds: task.durationSeconds,
    aspectRatio: task.aspectRatio,
    isSilent: task.unit.includes('_silent'),
  };
}

const wrong = (why: string): GatewayError =>
  new GatewayError('invalid_request', `'input.content': ${why}.`, { param: 'input.content' });
