import { type ImageInspection, inspectImage } from '../../media/inspect-image.js';
import type { Memory } from '../vendor-emulator.js';
import { refuse } from './ark-errors.js';

/** Refuses an image that is unreachable or broken. `param`: its place in the request. */
export function inspectInputImage(url: string, param: string, memory: Memory): ImageInspection {
  const inspection = inspectImage(url, memory.results);
  if (inspection.kind === 'unreachable' || inspection.kind === 'broken') {
    throw refuse(400, {
      code: 'InvalidImageURL.InvalidFormat',
      message: 'The request failed because the image could not be downloaded or is not in a supported format.',
      type: 'BadRequest',
      param,
    });
  }
  return inspection;
}
