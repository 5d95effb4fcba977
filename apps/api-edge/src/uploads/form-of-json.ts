import { writeFile } from 'node:fs/promises';
import { GatewayError, imageEditJson, isJsonObject, parseDataUri } from '@gateway/contracts';
import { checked } from '@gateway/intake';
import { type FormFiles, removeFiles, type StoredFile } from './received-form.js';
import type { UploadFolder } from './upload-folder.js';

type Fields = Readonly<Record<string, unknown>>;

/** False for JSON that is surely no edit in OpenAI's form. Most is not parsed to find that out. */
export const mayBeEditJson = (body: Buffer): boolean => body.includes('"image_url"') || body.includes('"file_id"');

/** xAI's images have `url`. */
export const isEditJson = ({ images }: Fields): boolean =>
  Array.isArray(images) && images.some((image) => isJsonObject(image) && ('image_url' in image || 'file_id' in image));

/**
 * Writes the images of OpenAI's JSON to files, as if a form had brought them. The owner must remove them. Throws a 400 that
 * names the field, after it has removed them.
 */
export async function formOfJson(body: Fields, folder: UploadFolder): Promise<FormFiles> {
  const { images: _images, mask: _mask, ...others } = body;
  const { images, mask } = checked(imageEditJson, body);
  const fields = Object.fromEntries(
    Object.entries(others).flatMap(([name, value]) => (value == null ? [] : [[name, textOf(name, value)]])),
  );
  const urls = images.map(({ image_url: url }) => ['image', url] as const);
  const files: StoredFile[] = [];
  try {
    // One after the other: the images of one request do not keep the loop.
    for (const [field, url] of mask == null ? urls : [...urls, ['mask', mask.image_url] as const]) {
      files.push(await stored(field, url, folder.newPath()));
    }
    return { fields, files };
  } catch (error) {
    await removeFiles(files.map(({ path }) => path));
    throw error;
  }
}

async function stored(field: string, url: string, path: string): Promise<StoredFile> {
  const { base64 = '', mediaType = '' } = parseDataUri(url) ?? {};
  const content = Buffer.from(base64, 'base64');
  await writeFile(path, content, { flag: 'wx', mode: 0o600 });
  return { field, path, bytes: content.length, filename: field, contentType: mediaType };
}

/** A form has texts alone. */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new GatewayError('invalid_request', `'${name}': expected a text, a number or a boolean.`, { param: name });
}
