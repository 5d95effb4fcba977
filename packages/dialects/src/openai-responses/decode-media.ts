import {
  isHttpUrl,
  type MediaKind,
  type MediaPart,
  parseDataUri,
  type ResponsesPart,
  type TextPart,
} from '@gateway/contracts';

type Media = Omit<MediaPart, 'clientType' | 'path'>;

/** A base64 data URI becomes its data. Anything else stays a URL: only the upstream knows which it accepts. */
function reference(media: MediaKind, url: string): Media {
  const data = parseDataUri(url);
  if (data === undefined) return { type: 'media', media, source: { kind: 'url', url } };
  const { mediaType, base64 } = data;
  return { type: 'media', media, source: { kind: 'base64', data: base64 }, ...(mediaType !== '' && { mediaType }) };
}

const AUDIO_TYPES: Readonly<Record<string, string>> = { mp3: 'audio/mpeg', m4a: 'audio/mp4', opus: 'audio/ogg' };

const isReference = (text: string): boolean => text.startsWith('data:') || isHttpUrl(text);

function file({ file_data: data, file_url: url, filename }: ResponsesPart): Media {
  const named = filename == null ? {} : { filename };
  const given = data ?? url ?? '';
  if (data == null || isReference(data)) return { ...reference('file', given), ...named };
  return { type: 'media', media: 'file', source: { kind: 'base64', data }, ...named };
}

function mediaOf(part: ResponsesPart): Media | undefined {
  if (part.type === 'input_image') {
    const { image_url: url, detail } = part;
    return { ...reference('image', url ?? ''), ...(detail != null && detail !== 'auto' && { detail }) };
  }
  if (part.type === 'input_file') return file(part);
  if (part.type !== 'input_audio') return undefined;
  const { data = '', format = 'mp3' } = part.input_audio ?? {};
  if (isReference(data)) return reference('audio', data);
  const mediaType = AUDIO_TYPES[format] ?? `audio/${format}`;
  return { type: 'media', media: 'audio', source: { kind: 'base64', data }, mediaType };
}

/** Decodes a part of a user's message or of a tool's result. `path`: its place, for errors. */
export function decodeInputPart(part: ResponsesPart, path: string): TextPart | MediaPart {
  const media = mediaOf(part);
  return media === undefined
    ? { type: 'text', text: part.text ?? part.refusal ?? '' }
    : { ...media, clientType: part.type, path };
}
