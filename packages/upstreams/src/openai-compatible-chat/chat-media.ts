import { type ChatUserPart, isHttpUrl, type MediaPart, type TextPart } from '@gateway/contracts';
import { unsupportedPart, unsupportedValue } from '../client-request/refuse-request.js';

const DEFAULT_TYPES = {
  image: 'image/jpeg',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  file: 'application/pdf',
} as const;

/** Formats of `input_audio` whose media type has another name. */
const AUDIO_FORMATS: Readonly<Record<string, string>> = { mpeg: 'mp3', mp4: 'm4a', 'x-wav': 'wav', wave: 'wav' };

/** Encodes one part of a user's message. Throws a GatewayError (400) for a source that these APIs lack. */
export function chatPart(part: TextPart | MediaPart): ChatUserPart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { media, source } = part;
  if (source.kind === 'frames') return { type: 'video', video: [...source.urls] };
  if (source.kind === 'text') return { type: 'text', text: source.text };
  if (media === 'audio' && source.kind === 'base64') {
    return { type: 'input_audio', input_audio: { data: source.data, format: audioFormatOf(part) } };
  }
  if (media === 'file') return filePart(part);
  const url = urlOf(part);
  if (media === 'image') return { type: 'image_url', image_url: { url, ...detailOf(part) } };
  if (media === 'audio') return { type: 'audio_url', audio_url: { url } };
  return { type: 'video_url', video_url: { url } };
}

type ImageDetail = NonNullable<Extract<ChatUserPart, { type: 'image_url' }>['image_url']['detail']>;

const detailOf = ({ detail }: MediaPart): { readonly detail?: ImageDetail } =>
  detail === undefined ? {} : { detail: detail as ImageDetail };

function audioFormatOf({ mediaType }: MediaPart): string {
  const subtype = (mediaType ?? DEFAULT_TYPES.audio).split('/')[1] ?? '';
  return AUDIO_FORMATS[subtype] ?? subtype;
}

function filePart(part: MediaPart): ChatUserPart {
  const { source, filename, path } = part;
  if (source.kind === 'id') throw unsupportedValue("A file must be given as 'file_data'.", path);
  if (source.kind === 'url' && isHttpUrl(source.url)) {
    throw unsupportedValue('This model takes the content of a file, not its address.', path);
  }
  return { type: 'file', file: { file_data: urlOf(part), ...(filename !== undefined && { filename }) } };
}

function urlOf({ media, source, mediaType, clientType, path }: MediaPart): string {
  if (source.kind === 'url') return source.url;
  if (source.kind === 'base64') return `data:${mediaType || DEFAULT_TYPES[media]};base64,${source.data}`;
  throw unsupportedPart(clientType, path);
}
