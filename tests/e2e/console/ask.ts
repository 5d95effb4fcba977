import { expect } from '@jest/globals';

/** A paid request of a key, so that its account has one more receipt. */
export async function ask(baseUrl: string, key: string): Promise<void> {
  const response = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'Say hello' }] }),
  });
  await response.text();
  expect(response.status).toBe(200);
}
