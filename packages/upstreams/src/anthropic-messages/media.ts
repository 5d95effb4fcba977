import type { ChatUserPart } from '@gateway/contracts';
import { invalidRequest, unsupportedPart, unsupportedValue } from '../client-request/refuse-request.js';
import { isHttpUrl, parseDataUri } from '../media/data-uri.js';
import { extensionOf, guessMediaType } from '../media/media-type.js';
import type { ImageMediaType, InputBlock } from './wire.js';

const IMAGE_TYPES: ReadonlySet<string> = new Set<ImageMediaType>([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
]);
const PDF = 'application/pdf';

/** Converts an image or file part to a block: base64, URL or text source. Throws a GatewayError (400) for other parts. */
export function mediaBlock(part: Exclude<ChatUserPart, { type: 'text' }>, param: string): InputBlock {
  if (part.type === 'image_url') return imageBlock(part.image_url.url, param);
  if (part.type === 'file') return fileBlock(part.file, param);
  throw unsupportedPart(part.type, param);
}

function imageBlock(url: string, param: string): InputBlock {
  if (isHttpUrl(url)) {
    const source = { type: 'url', url } as const;
    return extensionOf(url) === 'pdf' ? { type: 'document', source } : { type: 'image', source };
  }
  const data = parseDataUri(url);
  if (data === undefined) throw invalidRequest('An image must be an https URL or a base64 data URI.', param);
  const source = { type: 'base64', media_type: data.mediaType, data: data.base64 } as const;
  if (data.mediaType === PDF) return { type: 'document', source };
  if (IMAGE_TYPES.has(data.mediaType)) return { type: 'image', source };
  throw unsupportedValue('An image must be JPEG, PNG, GIF or WebP.', param);
}

function fileBlock(file: Extract<ChatUserPart, { type: 'file' }>['file'], param: string): InputBlock {
  if (file.file_data === undefined) throw unsupportedValue("A file must be given as 'file_data'.", param);
  const data = parseDataUri(file.file_data);
  const mediaType = data?.mediaType || guessMediaType(file.filename ?? '', PDF);
  const base64 = data?.base64 ?? file.file_data;
  const title = file.filename === undefined ? {} : { title: file.filename };
  if (mediaType === PDF)
    return { type: 'document', source: { type: 'base64', media_type: PDF, data: base64 }, ...title };
  if (mediaType.startsWith('text/')) {
    const text = Buffer.from(base64, 'base64').toString('utf8');
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title };
  }
  throw unsupportedValue('A file must be a PDF or plain text.', param);
}
