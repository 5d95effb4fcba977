import { lookAtImage, type SeenImage } from '../../picture/look-at-image.js';
import type { Memory } from '../persona.js';
import { refuse } from './ark-errors.js';

/** What lies at an image's address; refuses what cannot be fetched or is no image. `param`: where the request has it. */
export function seeImage(url: string, param: string, memory: Memory): SeenImage {
  const seen = lookAtImage(url, memory.results);
  if (seen.kind === 'unreachable' || seen.kind === 'broken') {
    throw refuse(400, {
      code: 'InvalidImageURL.InvalidFormat',
      message: 'The request failed because the image could not be downloaded or is not in a supported format.',
      type: 'BadRequest',
      param,
    });
  }
  return seen;
}
