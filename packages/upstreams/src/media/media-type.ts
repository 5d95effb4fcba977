const BY_EXTENSION: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  avi: 'video/x-msvideo',
  mkv: 'video/x-matroska',
  mpeg: 'video/mpeg',
  mpg: 'video/mpeg',
  '3gp': 'video/3gpp',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  aac: 'audio/aac',
  m4a: 'audio/mp4',
  aiff: 'audio/aiff',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
};

const EXTENSION = /\.([a-z0-9]{2,5})$/i;

/** Lower-case extension of a URL's path or a file name; empty if there is none. */
export function extensionOf(urlOrName: string): string {
  const path = urlOrName.split(/[?#]/, 1)[0] ?? '';
  return (EXTENSION.exec(path.slice(path.lastIndexOf('/') + 1))?.[1] ?? '').toLowerCase();
}

/** Media type by the extension of a URL or a file name, or the fallback. */
export const guessMediaType = (urlOrName: string, fallback: string): string =>
  BY_EXTENSION[extensionOf(urlOrName)] ?? fallback;
