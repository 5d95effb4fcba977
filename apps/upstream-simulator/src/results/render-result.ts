import { MEDIA_TYPES, renderPicture } from '../picture/picture.js';
import { renderVideo } from '../video/video.js';
import type { Result } from './result-shelf.js';

/** The bytes that lie at a result's address. */
export const renderResult = (result: Result): { readonly bytes: Buffer; readonly type: string } =>
  result.format === 'mp4'
    ? { bytes: renderVideo(result), type: 'video/mp4' }
    : { bytes: renderPicture(result), type: MEDIA_TYPES[result.format] };
