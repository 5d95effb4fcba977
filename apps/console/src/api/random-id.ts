const BYTES = 16;

/** 32 hexadecimal digits. Browsers have `crypto.randomUUID` on addresses with TLS only. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');
