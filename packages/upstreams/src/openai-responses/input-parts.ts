import { isHttpUrl, type MediaPart, type TextPart, toDataUri } from '@gateway/contracts';
import { unsupportedPart, unsupportedValue } from '../client-request/refuse-request.js';
import type { InputPart } from './wire.js';

/** Encodes one part of a user's message. Throws a GatewayError (400) that names the part. */
export function inputPart(part: TextPart | MediaPart): InputPart {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  if (part.source.kind === 'text') return { type: 'input_text', text: part.source.text };
  if (part.media === 'image') {
    return { type: 'input_image', image_url: dataOf(part), detail: part.detail ?? 'auto' };
  }
  if (part.media === 'file') return filePart(part);
  throw unsupportedPart(part.clientType, part.path);
}

/** Base64 without a media type passes as the client wrote it. */
function dataOf({ source, mediaType, clientType, path }: MediaPart): string {
  if (source.kind === 'url') return source.url;
  if (source.kind !== 'base64') throw unsupportedPart(clientType, path);
  return mediaType ? toDataUri({ mediaType, base64: source.data }) : source.data;
}

/** The vendor names a file by its address itself. */
function filePart(part: MediaPart): InputPart {
  const { source, filename, path } = part;
  if (source.kind === 'url' && isHttpUrl(source.url)) return { type: 'input_file', file_url: source.url };
  if (source.kind === 'id') throw unsupportedValue("A file must be given as 'file_data'.", path);
  return { type: 'input_file', file_data: dataOf(part), ...(filename !== undefined && { filename }) };
}
