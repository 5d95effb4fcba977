import type { MediaProbe } from '@gateway/contracts';
import type { ClaimedResult } from '@gateway/postgres';
import { imageSizeFromFile } from 'image-size/fromFile';
import { FilePathSource, Input, MP4, QTFF, WEBM } from 'mediabunny';

/** What vendors' images are. The declared type of a vendor is not believed. */
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
};

/** Reads type, size and length of a file. Undefined: it is no image or video that is known. */
export async function probeMedia(path: string, part: ClaimedResult['part']): Promise<MediaProbe | undefined> {
  try {
    return await (part === 'video' ? probeVideo(path) : probeImage(path));
  } catch {
    // A library's error for bytes of another format, or damaged ones. The file is kept as it is.
    return undefined;
  }
}

/** No playlists: they name further addresses. */
async function probeVideo(path: string): Promise<MediaProbe | undefined> {
  const input = new Input({ formats: [MP4, QTFF, WEBM], source: new FilePathSource(path) });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (track === null) return undefined;
    const { mimeType } = await input.getFormat();
    const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()];
    return { contentType: mimeType, width, height, durationSeconds: await input.computeDuration([track]) };
  } finally {
    input.dispose();
  }
}

async function probeImage(path: string): Promise<MediaProbe | undefined> {
  const { type, width, height } = await imageSizeFromFile(path);
  const contentType = IMAGE_TYPES[type ?? ''];
  return contentType === undefined ? undefined : { contentType, width, height };
}
