import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY_LENGTH = 34;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^sk-(test-)?[0-9A-Za-z]{40}$/;

function toBase62(value: number, length: number): string {
  let remaining = value;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = (BASE62[remaining % 62] as string) + text;
    remaining = Math.floor(remaining / 62);
  }
  return text;
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 = 4 × 62: larger bytes would make some characters more likely than others.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** `sk-` (or `sk-test-`) + 34 random base62 characters + the CRC-32 of both in 6 base62 characters. */
export function newApiKey(kind: 'live' | 'test' = 'live'): string {
  const head = `${kind === 'test' ? 'sk-test-' : 'sk-'}${randomBase62(BODY_LENGTH)}`;
  return head + toBase62(crc32(head), CHECKSUM_LENGTH);
}

/** True if shape and checksum are valid: a mistyped key is rejected without a lookup. */
export function isWellFormedApiKey(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const split = text.length - CHECKSUM_LENGTH;
  return toBase62(crc32(text.slice(0, split)), CHECKSUM_LENGTH) === text.slice(split);
}

/** The only form in which a key is stored or cached: SHA-256, 64 lower-case hex digits. */
export const hashApiKey = (key: string): string => hash('sha256', key);

/** A short form for people: `sk-Ab12…wxyz`. */
export const apiKeyPrefix = (key: string): string =>
  `${key.slice(0, key.startsWith('sk-test-') ? 12 : 7)}…${key.slice(-4)}`;
