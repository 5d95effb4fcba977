import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { receiveForm } from './receive-form.js';
import type { UploadFolder } from './upload-folder.js';

const NO_FILES = {} as UploadFolder;

async function fieldsOf(...fields: readonly (readonly [name: string, value: string])[]) {
  const parts = fields.map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const message = Object.assign(Readable.from([Buffer.from(`${parts.join('')}--b--\r\n`)]), { headers });
  return (await receiveForm(message as unknown as IncomingMessage, NO_FILES, { bytes: 10_000 })).fields;
}

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
});
