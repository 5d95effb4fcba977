import type { VideoCase } from './billed-video.js';
import { refuseReserved } from './reserved-fields.js';

/** Grok-type models: their own fields are the upstream's body, so none may name another model or another kind of task. */
export function refuseGrok({ body }: VideoCase): void {
  refuseReserved(body, {
    model: "the model stands beside 'input', not in it.",
    video: 'videos are made here, not edited: how long an edited one gets is not known before.',
    video_url: 'videos are made here, not edited: how long an edited one gets is not known before.',
  });
}
