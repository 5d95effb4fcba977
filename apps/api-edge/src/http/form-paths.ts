import { ENDPOINTS, VIDEOS_PATH } from '@gateway/contracts';

/** The routes that take `multipart/form-data`. */
export const FORM_PATHS: readonly string[] = [
  '/v1/files',
  ENDPOINTS['images.edits'].path,
  ENDPOINTS['audio.transcriptions'].path,
  VIDEOS_PATH,
];

export const takesForm = (path: string | undefined): boolean => path !== undefined && FORM_PATHS.includes(path);
