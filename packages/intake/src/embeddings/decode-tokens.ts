import { createRequire } from 'node:module';
import { GatewayError, MAX_EMBEDDING_INPUTS } from '@gateway/contracts';

/** The tokenizer that client libraries use for a model that they do not know. */
export const TOKENIZER = 'cl100k_base';
/** The vendor's limit of one text; a longer list would only take time. */
const MAX_TOKENS = 300_000;

type Tokenizer = Pick<typeof import('gpt-tokenizer/encoding/cl100k_base'), 'decode'>;

let loaded: Tokenizer | undefined;

/** Loaded by the first request that needs it: 70 ms and 42 MB, which most processes never need. */
function tokenizer(): Tokenizer {
  loaded ??= createRequire(import.meta.url)('gpt-tokenizer/encoding/cl100k_base') as Tokenizer;
  return loaded;
}

const isTokens = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number');

/** The texts of a field, if it is a list of tokens or a list of such lists; undefined for anything else. Throws a 400 that names the field. */
export function decodeTokens(input: unknown, field = 'input'): string | readonly string[] | undefined {
  if (isTokens(input)) return decode(input, field);
  if (!Array.isArray(input) || input.length === 0 || !input.every(isTokens)) return undefined;
  if (input.length > MAX_EMBEDDING_INPUTS) return undefined;
  return input.map((tokens, index) => decode(tokens, `${field}[${index}]`));
}

function decode(tokens: readonly number[], param: string): string {
  if (tokens.length > MAX_TOKENS) throw invalid(param, `expected at most ${MAX_TOKENS} tokens, got ${tokens.length}`);
  try {
    return tokenizer().decode(tokens);
  } catch {
    throw invalid(param, `expected text, or tokens of ${TOKENIZER}: the list has a number that is none of its tokens`);
  }
}

const invalid = (param: string, expected: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': ${expected}.`, { param });
