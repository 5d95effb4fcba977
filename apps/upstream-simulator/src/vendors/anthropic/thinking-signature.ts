import { createHmac } from 'node:crypto';

const SECRET = 'simulated-anthropic';

/** Signs a thinking block: a client that returns it with one byte changed is refused, as the vendor does. */
export const signThinking = (thinking: string): string =>
  createHmac('sha256', SECRET).update(thinking).digest('base64');

/** An omitted block comes back with empty text under the signature of an empty text. */
export const isSigned = (thinking: string, signature: string): boolean => signThinking(thinking) === signature;
