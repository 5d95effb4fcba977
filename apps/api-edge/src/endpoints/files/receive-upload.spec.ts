import { describe, expect, it } from '@jest/globals';
import type { StoredFiles } from '../../files/stored-files.service.js';
import { FakeReply } from '../../test-support/edge-fakes.js';
import type { FormFiles } from '../../uploads/received-form.js';
import type { ReceiveForms } from '../receive-forms.service.js';
import { ReceiveUpload } from './receive-upload.service.js';

function upload(fields: FormFiles['fields']) {
  const forms = { receiveHashed: async () => ({ fields, files: [] }) } as unknown as ReceiveForms;
  const files = { checkEnabled: () => undefined } as unknown as StoredFiles;
  const { asReply } = new FakeReply();
  return new ReceiveUpload(forms, files).receive(asReply.request, asReply);
}

describe('an upload', () => {
  it.each([
    [{ purpose: 'user_data', file: 'text' }, "'file': expected a file, a part with a file name."],
    [{ purpose: 'user_data' }, "'file': expected one file."],
    [{ purpose: 'user_data', other: 'text' }, "unknown field 'other'"],
  ])('of the fields %j says what is wrong', async (fields, message) => {
    await expect(upload(fields)).rejects.toMatchObject({ code: 'invalid_request', message });
  });
});
