import type { VideoRequest } from './billed-video.js';
import { rejectReserved } from './reserved-fields.js';

/** `input` and `parameters` become the upstream's body, so they must not name another model or kind of task. */
export function rejectGrokFields({ body }: VideoRequest): void {
  rejectReserved(body, {
    model: "set the model beside 'input', not in it.",
    video: 'videos cannot be edited, because the duration of an edited video is not known in advance.',
    video_url: 'videos cannot be edited, because the duration of an edited video is not known in advance.',
  });
}
