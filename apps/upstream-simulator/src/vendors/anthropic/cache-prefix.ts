import { createHash, type Hash } from 'node:crypto';
import { quartersOf } from '../../count/quarters.js';
import { IMAGE_TOKENS, tokensOfQuarters } from '../../count/tokens.js';
import { type Fields, fieldsOf, isFields } from '../../json/fields.js';
import type { PromptCache } from '../prompt-cache.js';
import { invalid } from './anthropic-errors.js';

const MINUTE_MS = 60_000;
const LIVES_MS: Readonly<Record<string, number>> = { '5m': 5 * MINUTE_MS, '1h': 60 * MINUTE_MS };
const MAX_BREAKPOINTS = 4;
type Breakpoint = Readonly<{ key: string; tokens: number; life: string }>;
export type CacheUse = Readonly<{ readTokens: number; writtenTokens: number; writtenFor: string }>;
export const NO_CACHE: CacheUse = { readTokens: 0, writtenTokens: 0, writtenFor: '5m' };

/** Hashes the prompt in the vendor's order (tools, system, messages) and records each `cache_control`. */
export class CachePrefix {
  readonly #breakpoints: Breakpoint[] = [];
  readonly #hash: Hash;
  #quarters = 0;
  #images = 0;

  constructor(owner: string) {
    this.#hash = createHash('sha1').update(owner);
  }

  /** `text` is what the block costs; all its fields are part of the key. */
  add(block: Fields, text: string): void {
    this.#quarters += quartersOf(text);
    this.#images += block.type === 'image' ? 1 : 0;
    const { cache_control: control, ...rest } = block;
    this.#hash.update(JSON.stringify(rest)).update('\n');
    if (isFields(control)) {
      const life = String(control.ttl ?? '5m');
      const tokens = tokensOfQuarters(this.#quarters) + this.#images * IMAGE_TOKENS;
      this.#breakpoints.push({ key: this.#hash.copy().digest('base64'), tokens, life });
    }
  }

  check(): void {
    if (this.#breakpoints.length > MAX_BREAKPOINTS) {
      throw invalid(
        `A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${this.#breakpoints.length}.`,
      );
    }
  }

  /** Reads the longest cached prefix and writes the rest up to the last breakpoint. */
  use(cache: PromptCache): CacheUse {
    let readTokens = 0;
    for (const { key, tokens, life } of this.#breakpoints) {
      if (cache.touch(key, LIVES_MS[life] ?? 5 * MINUTE_MS)) readTokens = tokens;
    }
    const last = this.#breakpoints.at(-1);
    return last === undefined
      ? NO_CACHE
      : { readTokens, writtenTokens: last.tokens - readTokens, writtenFor: last.life };
  }
}

export const hasCacheControl = (request: Fields): boolean => {
  const blocks = [request, request.tools, request.system].flat().map(fieldsOf);
  const inMessages = Array.isArray(request.messages)
    ? request.messages.map(fieldsOf).flatMap((message) => (Array.isArray(message.content) ? message.content : []))
    : [];
  return [...blocks, ...inMessages.map(fieldsOf)].some((block) => isFields(block.cache_control));
};
