import type { ChatUserPart } from '@gateway/contracts';
import { invalidRequest, unsupportedValue } from '../client-request/refuse-request.js';
import { isHttpUrl, parseDataUri } from '../media/data-uri.js';
import { guessMediaType } from '../media/media-type.js';
import type { RequestPart } from './wire.js';

const IMAGE = 'image/jpeg';
const VIDEO = 'video/mp4';
const AUDIO = 'audio/mpeg';
const FILE = 'application/pdf';

/** Converts one user content part. Throws a GatewayError (400) that names the part. */
export function requestParts(part: ChatUserPart, param: string): readonly RequestPart[] {
  switch (part.type) {
    case 'text':
      return [{ text: part.text }];
    case 'image_url':
      return [reference(part.image_url.url, IMAGE, param)];
    case 'video_url':
      return [reference(part.video_url.url, VIDEO, param)];
    case 'video':
      return part.video.map((frame) => reference(frame, IMAGE, param));
    case 'audio_url':
      return [reference(part.audio_url.url, AUDIO, param)];
    case 'input_audio':
      return [audio(part.input_audio.data, part.input_audio.format, param)];
    case 'file':
      return [file(part.file, param)];
  }
}

/** Sends a data URI inline, and an http(s) URL as a reference with the media type of its extension. */
function reference(url: string, fallbackType: string, param: string): RequestPart {
  if (isHttpUrl(url)) return { fileData: { mimeType: guessMediaType(url, fallbackType), fileUri: url } };
  const data = parseDataUri(url);
  if (data === undefined) throw invalidRequest('Expected an https URL or a base64 data URI.', param);
  return { inlineData: { mimeType: data.mediaType || fallbackType, data: data.base64 } };
}

function audio(data: string, format: string | undefined, param: string): RequestPart {
  if (isHttpUrl(data) || data.startsWith('data:')) return reference(data, AUDIO, param);
  return { inlineData: { mimeType: guessMediaType(`audio.${format ?? 'mp3'}`, AUDIO), data } };
}

function file(value: Extract<ChatUserPart, { type: 'file' }>['file'], param: string): RequestPart {
  const { file_data: data, filename } = value;
  if (data === undefined) throw unsupportedValue("A file must be given as 'file_data'.", param);
  const type = guessMediaType(filename ?? '', FILE);
  if (isHttpUrl(data) || data.startsWith('data:')) return reference(data, type, param);
  return { inlineData: { mimeType: type, data } };
}
