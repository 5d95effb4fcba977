import {
  type ChatUserPart,
  isHttpUrl,
  type MediaKind,
  type MediaPart,
  type MediaSource,
  parseDataUri,
  type TextPart,
} from '@gateway/contracts';
import { cacheOf } from '../cache-mark.js';

type FilePart = Extract<ChatUserPart, { type: 'file' }>['file'];

/** Decodes one part of a user's message. `path`: the part's place, for errors. */
export function decodeUserPart(part: ChatUserPart, path: string): TextPart | MediaPart {
  const place = { clientType: part.type, path, cache: cacheOf(part) };
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, cache: place.cache };
    case 'image_url': {
      const { url, detail } = part.image_url;
      return { ...reference('image', url), ...(detail !== undefined && { detail }), ...place };
    }
    case 'video_url':
      return { ...reference('video', part.video_url.url), ...place };
    case 'video':
      return { type: 'media', media: 'video', source: { kind: 'frames', urls: part.video }, ...place };
    case 'audio_url':
      return { ...reference('audio', part.audio_url.url), ...place };
    case 'input_audio':
      return { ...audio(part.input_audio.data, part.input_audio.format), ...place };
    case 'file':
      return { ...file(part.file), ...place };
  }
}

type Media = Omit<MediaPart, 'clientType' | 'path'>;

const isReference = (text: string): boolean => text.startsWith('data:') || isHttpUrl(text);

const AUDIO_TYPES: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', m4a: 'audio/mp4', opus: 'audio/ogg' };

const audioTypeOf = (format: string): string => AUDIO_TYPES[format] ?? `audio/${format}`;

/** A base64 data URI becomes its data. Anything else stays a URL: only the upstream knows which it accepts. */
function reference(media: MediaKind, url: string): Media {
  const data = parseDataUri(url);
  if (data === undefined) return { type: 'media', media, source: { kind: 'url', url } };
  const { mediaType, base64 } = data;
  return { type: 'media', media, source: { kind: 'base64', data: base64 }, ...(mediaType !== '' && { mediaType }) };
}

function audio(data: string, format: string | undefined): Media {
  if (isReference(data)) return reference('audio', data);
  return { type: 'media', media: 'audio', source: { kind: 'base64', data }, mediaType: audioTypeOf(format ?? 'mp3') };
}

function file({ file_data: data, file_id: id, filename }: FilePart): Media {
  const named = filename === undefined ? {} : { filename };
  if (data !== undefined && isReference(data)) return { ...reference('file', data), ...named };
  const source: MediaSource = data === undefined ? { kind: 'id', id: id ?? '' } : { kind: 'base64', data };
  return { type: 'media', media: 'file', source, ...named };
}
