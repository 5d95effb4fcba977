import { createHash, type Hash } from 'node:crypto';
import { quartersOf } from '../../count/quarters.js';
import { IMAGE_TOKENS, tokensOfQuarters } from '../../count/tokens.js';
import { type Fields, fieldsOf, isFields } from '../../json/fields.js';
import type { PromptCache } from '../prompt-cache.js';
import { invalid } from './anthropic-errors.js';

const MINUTE_MS = 60_000;
const LIVES_MS: Readonly<Record<string, number>> = { '5m': 5 * MINUTE_MS, '1h': 60 * MINUTE_MS };
const MAX_BREAKPOINTS = 4;
/** Blocks before a breakpoint, with its own, at which an earlier request may have ended. */
const LOOKBACK_BLOCKS = 20;
/** The prompt up to the end of a block. */
type Prefix = Readonly<{ key: string; tokens: number }>;
/** `at`: the index of its block. */
type Breakpoint = Readonly<{ at: number; life: string }>;
export type CacheUse = Readonly<{ readTokens: number; writtenTokens: number; writtenFor: string }>;
export const NO_CACHE: CacheUse = { readTokens: 0, writtenTokens: 0, writtenFor: '5m' };

/**
 * Hashes the prompt in the vendor's order (tools, system, messages) and records each `cache_control`:
 * platform.claude.com/docs/en/build-with-claude/prompt-caching.
 */
export class CachePrefix {
  readonly #prefixes: Prefix[] = [];
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
    const tokens = tokensOfQuarters(this.#quarters) + this.#images * IMAGE_TOKENS;
    this.#prefixes.push({ key: this.#hash.copy().digest('base64'), tokens });
    if (isFields(control)) this.#mark(control);
  }

  /** The mark of a whole request is that of its last block. */
  markWhole(control: Fields): void {
    const last = this.#breakpoints.at(-1);
    if (last === undefined || last.at < this.#prefixes.length - 1) this.#mark(control);
    else if (last.life !== lifeOf(control)) throw invalid('cache_control: the last block has another ttl');
  }

  #mark(control: Fields): void {
    this.#breakpoints.push({ at: this.#prefixes.length - 1, life: lifeOf(control) });
  }

  check(): void {
    if (this.#breakpoints.length > MAX_BREAKPOINTS) {
      throw invalid(
        `A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${this.#breakpoints.length}.`,
      );
    }
  }

  /** Reads the longest cached prefix near a breakpoint, and writes the rest up to the last breakpoint. */
  use(cache: PromptCache): CacheUse {
    const last = this.#breakpoints.at(-1);
    if (last === undefined) return NO_CACHE;
    const read = this.#breakpoints.map(({ at }) => this.#readAt(at, cache)).findLast((prefix) => prefix !== undefined);
    const readTokens = read?.tokens ?? 0;
    const kept = this.#breakpoints.map(({ at, life }) => ({ prefix: this.#prefixes[at], life }));
    for (const { prefix, life } of [{ prefix: read, life: last.life }, ...kept]) {
      if (prefix !== undefined) cache.touch(prefix.key, LIVES_MS[life] ?? 5 * MINUTE_MS);
    }
    return { readTokens, writtenTokens: (this.#prefixes[last.at]?.tokens ?? 0) - readTokens, writtenFor: last.life };
  }

  #readAt(at: number, cache: PromptCache): Prefix | undefined {
    return this.#prefixes.slice(Math.max(at + 1 - LOOKBACK_BLOCKS, 0), at + 1).findLast(({ key }) => cache.has(key));
  }
}

const lifeOf = (control: Fields): string => String(control.ttl ?? '5m');

export const hasCacheControl = (request: Fields): boolean => {
  const blocks = [request, request.tools, request.system].flat().map(fieldsOf);
  const inMessages = Array.isArray(request.messages)
    ? request.messages.map(fieldsOf).flatMap((message) => (Array.isArray(message.content) ? message.content : []))
    : [];
  return [...blocks, ...inMessages.map(fieldsOf)].some((block) => isFields(block.cache_control));
};
