import { GatewayError, type KeyRecord, type StoredObject } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { StoredFiles } from '../../files/stored-files.service.js';
import { ReadReference } from './read-reference.service.js';

const MEBIBYTE = 1024 * 1024;
const key = {} as KeyRecord;

/** Reads a kept file, and what room that took. */
async function readFile(file: Partial<StoredObject> | GatewayError) {
  const taken: number[] = [];
  let reads = 0;
  const files = {
    find: async () => {
      if (file instanceof GatewayError) throw file;
      return file;
    },
    read: async function* () {
      reads += 1;
      yield Buffer.from('ab');
      yield Buffer.from('c');
    },
  } as unknown as StoredFiles;
  const image = new ReadReference(files)
    .ofJson({ file_id: 'file-1' }, key, (bytes) => taken.push(bytes))
    .catch((error: unknown) => error);
  return { image: await image, taken, reads };
}

describe('a kept file as a reference', () => {
  it('becomes a data URL', async () => {
    const read = await readFile({ contentType: 'image/webp', bytes: 3 });
    expect(read).toEqual({ image: 'data:image/webp;base64,YWJj', taken: [], reads: 1 });
  });

  it('takes room for itself and its copy if it is long', async () => {
    expect(await readFile({ contentType: 'image/png', bytes: 2 * MEBIBYTE })).toMatchObject({ taken: [4 * MEBIBYTE] });
  });

  it.each([
    ['is no image', { contentType: 'text/html', bytes: 3 }, 'invalid_request'],
    ['is too long', { contentType: 'image/png', bytes: 20 * MEBIBYTE + 1 }, 'invalid_request'],
    ['is not there', new GatewayError('not_found', 'There is no such file.'), 'invalid_request'],
  ])('that %s is refused by name, unread', async (_what, file, code) => {
    const { image, taken, reads } = await readFile(file);
    expect(image).toMatchObject({ code, details: { param: 'input_reference.file_id' } });
    expect([taken, reads]).toEqual([[], 0]);
  });

  it('that cannot be read now is no fault of the client', async () => {
    const away = new GatewayError('service_unavailable', 'Files are not available right now.');
    expect((await readFile(away)).image).toBe(away);
  });
});

it('an address stays as it is', async () => {
  const files = {} as StoredFiles;
  const read = (reference: Parameters<ReadReference['ofJson']>[0]) =>
    new ReadReference(files).ofJson(reference, key, () => {});
  expect(await read({ image_url: 'https://example.com/a.png' })).toBe('https://example.com/a.png');
  expect([await read(null), await read(undefined)]).toEqual([undefined, undefined]);
});
