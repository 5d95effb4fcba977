import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { receiveForm } from './receive-form.js';
import type { UploadFolder } from './upload-folder.js';

const NO_FILES = {} as UploadFolder;

async function received(...parts: readonly string[]) {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const message = Object.assign(Readable.from([Buffer.from(`${parts.join('')}--b--\r\n`)]), { headers });
  return (await receiveForm(message as unknown as IncomingMessage, NO_FILES, { bytes: 10_000 })).fields;
}

const partOf = (disposition: string, value: string): string =>
  `--b\r\ncontent-disposition: form-data${disposition}\r\n\r\n${value}\r\n`;

const fieldsOf = (...fields: readonly (readonly [name: string, value: string])[]) =>
  received(...fields.map(([name, value]) => partOf(`; name="${name}"`, value)));

describe('a form', () => {
  it('may have several values of a list', async () => {
    expect(await fieldsOf(['a', '1'], ['b[]', 'x'], ['b[]', 'y'])).toEqual({ a: '1', 'b[]': 'x,y' });
  });

  it('has any other field once', async () => {
    await expect(fieldsOf(['a', '1'], ['a', '1'])).rejects.toMatchObject({
      message: "'a': expected once.",
      details: { param: 'a' },
    });
  });

  it('ends at its last boundary, wherever that is', async () => {
    const part = partOf('; name="a"', '1');
    expect(await received('--b--\r\n', part)).toEqual({});
    expect(await received('--b--b\r\n', part, part)).toEqual({});
    expect(await received(part, '--b--\r\n', part)).toEqual({ a: '1' });
  });

  it.each([
    ['a text', ''],
    ['a file', '; filename="a.png"'],
    ['a name without a value', '; name'],
  ])('without the name of %s is a 400, wherever the part is', async (_what, disposition) => {
    const odd = partOf(disposition, 'value');
    const other = partOf('; name="a"', '1');
    for (const parts of [[odd], [odd, other], [other, odd]]) {
      await expect(received(...parts)).rejects.toMatchObject({
        code: 'invalid_request',
        message: "The form has a part without a name: expected 'name' in its 'Content-Disposition'.",
      });
    }
  });
});
