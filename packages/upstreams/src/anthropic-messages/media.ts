import { isHttpUrl, type MediaPart } from '@gateway/contracts';
import { invalidRequest, unsupportedPart, unsupportedValue } from '../client-request/refuse-request.js';
import { imageTypeOf } from '../media/image-type.js';
import { extensionOf, guessMediaType } from '../media/media-type.js';
import type { ImageMediaType, MediaBlock } from './wire.js';

const IMAGE_TYPES: ReadonlySet<string> = new Set<ImageMediaType>([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
]);
const PDF = 'application/pdf';

/** Encodes an image or a file: base64, URL or text source. Throws a GatewayError (400) for other media. */
export function mediaBlock(part: MediaPart): MediaBlock {
  if (part.media === 'image') return imageBlock(part);
  if (part.media === 'file') return fileBlock(part);
  throw unsupportedPart(part.clientType, part.path);
}

function imageBlock({ source, mediaType: declared, path }: MediaPart): MediaBlock {
  if (source.kind === 'url' && isHttpUrl(source.url)) {
    const reference = { type: 'url', url: source.url } as const;
    return { type: extensionOf(source.url) === 'pdf' ? 'document' : 'image', source: reference };
  }
  if (source.kind !== 'base64') throw invalidRequest('An image must be an https URL or a base64 data URI.', path);
  const mediaType = imageTypeOf(source.data, declared);
  const data = { type: 'base64', media_type: mediaType ?? '', data: source.data } as const;
  if (mediaType === PDF) return { type: 'document', source: data };
  if (IMAGE_TYPES.has(mediaType ?? '')) return { type: 'image', source: data };
  throw unsupportedValue('An image must be JPEG, PNG, GIF or WebP.', path);
}

function fileBlock({ source, mediaType, filename, path }: MediaPart): MediaBlock {
  const title = filename === undefined ? {} : { title: filename };
  if (source.kind === 'text') return textDocument(source.text, title);
  if (source.kind === 'url' && isHttpUrl(source.url)) {
    return { type: 'document', source: { type: 'url', url: source.url }, ...title };
  }
  if (source.kind !== 'base64') throw unsupportedValue("A file must be given as 'file_data'.", path);
  const type = mediaType || guessMediaType(filename ?? '', PDF);
  if (type === PDF) {
    return { type: 'document', source: { type: 'base64', media_type: PDF, data: source.data }, ...title };
  }
  if (type.startsWith('text/')) return textDocument(Buffer.from(source.data, 'base64').toString('utf8'), title);
  throw unsupportedValue('A file must be a PDF or plain text.', path);
}

const textDocument = (data: string, title: { readonly title?: string }): MediaBlock => ({
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data },
  ...title,
});
