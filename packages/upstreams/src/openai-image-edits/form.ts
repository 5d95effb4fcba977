import type { LoadedFile } from '@gateway/contracts';

export interface WrittenForm {
  readonly contentType: string;
  readonly body: Uint8Array;
}

/**
 * A multipart form. A boundary that stands in a text is refused by making it longer; pictures are not searched, for they
 * cannot know the request's id.
 */
export function writeForm(
  boundarySeed: string,
  fields: readonly (readonly [name: string, value: string])[],
  files: readonly LoadedFile[],
  imageName: string,
): WrittenForm {
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
