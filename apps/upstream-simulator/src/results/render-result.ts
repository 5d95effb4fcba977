import { MEDIA_TYPES, renderImage } from '../media/image.js';
import { renderVideo } from '../media/video.js';
import type { Result } from './result-store.js';

/** The bytes that lie at a result's address. */
export const renderResult = (result: Result): { readonly bytes: Buffer; readonly type: string } =>
  result.format === 'mp4'
    ? { bytes: renderVideo(result), type: 'video/mp4' }
    : { bytes: renderImage(result), type: MEDIA_TYPES[result.format] };
