import type { LoadedFile } from '@gateway/contracts';

export interface EncodedForm {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/**
 * Encodes a multipart form (RFC 7578). Extends the boundary until no text field contains it. Image data is not searched:
 * it cannot contain the request id in the boundary.
 */
export function encodeForm(
  boundarySeed: string,
  fields: readonly (readonly [name: string, value: string])[],
  files: readonly LoadedFile[],
  imageName: string,
): EncodedForm {
  let boundary = boundarySeed;
  while (fields.some(([, value]) => value.includes(boundary))) boundary += '-';
  const parts: Uint8Array[] = [];
  const write = (text: string): void => void parts.push(Buffer.from(text));
  for (const [name, value] of fields) {
    write(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  }
  files.forEach(({ field, format, content }, index) => {
    const name = field === 'image' ? imageName : field;
    const disposition = `form-data; name="${name}"; filename="${field}-${index + 1}.${format}"`;
    write(`--${boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: image/${format}\r\n\r\n`);
    parts.push(content);
    write('\r\n');
  });
  write(`--${boundary}--\r\n`);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts) };
}
