import { expect, it } from '@jest/globals';
import { newApiKey } from './api-key.js';
import { hideSecrets } from './hide-secrets.js';

const LONG = '0123456789'.repeat(3);

it.each([
  [`/v1/models/${newApiKey('live')}?a=1`, '/v1/models/…?a=1'],
  [`The model '${newApiKey('test')}' does not exist.`, "The model '…' does not exist."],
  [`a=sess_${LONG} b=look_${LONG} c=admin_${LONG} d=whsec_${LONG}+/A==`, 'a=… b=… c=… d=…'],
  [`ask-${LONG} task_${LONG} sk-short /admin_hook`, `ask-${LONG} task_${LONG} sk-short /admin_hook`],
])('hides the secrets of %s', (text, shown) => {
  expect(hideSecrets(text)).toBe(shown);
});
