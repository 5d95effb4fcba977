import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { formOfJson, isEditJson, mayBeEditJson } from './form-of-json.js';
import { UploadFolder } from './upload-folder.js';

const directory = await mkdtemp(join(tmpdir(), 'form-of-json-'));
const folder = await UploadFolder.open(directory, 'edge');
const uri = (text: string): string => `data:image/png;base64,${Buffer.from(text).toString('base64')}`;
const left = (): Promise<string[]> => readdir(join(directory, 'edge'));

describe("an edit in OpenAI's JSON", () => {
  it('is a form: texts for its fields, files for its images in their order, then the mask', async () => {
    const form = await formOfJson(
      {
        model: 'm',
        n: 2,
        stream: true,
        user: null,
        images: [{ image_url: uri('first') }, { image_url: uri('second') }],
        mask: { image_url: uri('mask') },
      },
      folder,
    );
    expect(form.fields).toEqual({ model: 'm', n: '2', stream: 'true' });
    const files = form.files.map(async ({ field, path, bytes }) => [field, await readFile(path, 'utf8'), bytes]);
    expect(await Promise.all(files)).toEqual([
      ['image', 'first', 5],
      ['image', 'second', 6],
      ['mask', 'mask', 4],
    ]);
  });

  it.each([
    ['images[1].image_url', { images: [{ image_url: uri('a') }, { image_url: 'https://example.com/a.png' }] }],
    ['images[0].image_url', { images: [{ file_id: 'file-a' }] }],
    ['images', { images: new Array(17).fill({ image_url: uri('a') }) }],
    ['mask.image_url', { images: [{ image_url: uri('a') }], mask: { image_url: 'a.png' } }],
    ['size', { images: [{ image_url: uri('a') }], size: [1] }],
  ])('names %s where it is wrong, and leaves no file', async (param, body) => {
    const before = await left();
    await expect(formOfJson(body, folder)).rejects.toMatchObject({ code: 'invalid_request', details: { param } });
    expect(await left()).toEqual(before);
  });

  it("is known from xAI's JSON", () => {
    const openAi = { images: [{ image_url: uri('a') }] };
    const xAi = { images: [{ type: 'image_url', url: uri('a') }] };
    expect([openAi, xAi].map((body) => mayBeEditJson(Buffer.from(JSON.stringify(body))))).toEqual([true, true]);
    expect([openAi, xAi, { images: 'image_url' }, {}].map(isEditJson)).toEqual([true, false, false, false]);
  });
});
