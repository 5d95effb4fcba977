import { isHttpUrl, type MediaKind, type MediaPart, parseDataUri, type TextPart } from '@gateway/contracts';
import { invalidRequest, unsupportedValue } from '../client-request/refuse-request.js';
import { imageTypeOf } from '../media/image-type.js';
import { guessMediaType } from '../media/media-type.js';
import type { RequestPart } from './wire.js';

/** Media type of each kind, if neither the client nor a name says it. */
const FALLBACK: Readonly<Record<MediaKind, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  file: 'application/pdf',
};

/** The vendor's store of files: an address there names a file of the account, which customers share. */
const OWN_STORE = /^https?:\/\/[^/?#]*generativelanguage\.googleapis\.com/i;

/** Encodes one part of a user's message. Throws a GatewayError (400) that names the part. */
export function requestParts(part: TextPart | MediaPart): readonly RequestPart[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ text: part.text }];
  const { media, source, mediaType, filename, path } = part;
  const fallback = media === 'file' ? guessMediaType(filename ?? '', FALLBACK.file) : FALLBACK[media];
  switch (source.kind) {
    case 'base64': {
      const known = media === 'image' ? imageTypeOf(source.data, mediaType) : mediaType;
      return [{ inlineData: { mimeType: known || fallback, data: source.data } }];
    }
    case 'url':
      return [reference(source.url, mediaType || fallback, path)];
    case 'frames':
      return source.urls.map((url) => reference(url, FALLBACK.image, path));
    case 'text':
      return [{ text: source.text }];
    case 'id':
      throw unsupportedValue("A file must be given as 'file_data'.", path);
  }
}

/** Sends a data URI inline, and an http(s) URL as a reference with the media type of its extension. */
function reference(url: string, fallbackType: string, path: string): RequestPart {
  if (OWN_STORE.test(url)) {
    throw unsupportedValue('Expected a public URL: this one names a file of an account that customers share.', path);
  }
  if (isHttpUrl(url)) return { fileData: { mimeType: guessMediaType(url, fallbackType), fileUri: url } };
  const data = parseDataUri(url);
  if (data === undefined) throw invalidRequest('Expected an https URL or a base64 data URI.', path);
  return { inlineData: { mimeType: data.mediaType || fallbackType, data: data.base64 } };
}
