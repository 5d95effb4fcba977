import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { validateWebhookUrl } from './validate-webhook-url.js';

describe('validateWebhookUrl', () => {
  it('normalises a public URL', () => {
    expect(validateWebhookUrl('HTTPS://Hooks.Example.com/a?b=c#d', false)).toBe('https://hooks.example.com/a?b=c');
    expect(validateWebhookUrl('http://127.0.0.1:4000/a', true)).toBe('http://127.0.0.1:4000/a');
  });

  it.each([
    'http://hooks.example.com/',
    'https://10.0.0.7/hook',
    'https://localhost/hook',
    'https://[::1]/hook',
    'https://metadata.internal/',
    'https://user:secret@hooks.example.com/',
    'hooks.example.com',
    '',
  ])('rejects %s', (text) => {
    try {
      validateWebhookUrl(text, false);
    } catch (error) {
      expect(isGatewayError(error) && error.toRecord()).toMatchObject({
        code: 'invalid_request',
        param: 'webhook_url',
      });
      return;
    }
    throw new Error('nothing was rejected');
  });
});
