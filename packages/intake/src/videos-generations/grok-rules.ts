import type { VideoRequest } from './billed-video.js';
import { rejectReserved } from './reserved-fields.js';

/** Grok-type models: their own fields are the upstream's body, so none may name another model or another kind of task. */
export function rejectGrokFields({ body }: VideoRequest): void {
  rejectReserved(body, {
    model: "the model stands beside 'input', not in it.",
    video: 'videos are made here, not edited: how long an edited one gets is not known before.',
    video_url: 'videos are made here, not edited: how long an edited one gets is not known before.',
  });
}
