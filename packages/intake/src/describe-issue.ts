import { fieldName, GatewayError, truncateForError } from '@gateway/contracts';
import type { z } from 'zod';
import { expectationOf, hasOwnWords } from './expectation.js';

type Issue = z.core.$ZodIssue;

/** Longer than any message about a known field. Bounds messages that quote the client's names. */
const MAX_MESSAGE_CHARACTERS = 1_000;

/** Picks the issue of the union branch that matched deepest: most likely the one the client meant. */
function deepest(issues: readonly Issue[], path: readonly PropertyKey[]): Issue & { fullPath: PropertyKey[] } {
  const [first] = issues;
  if (first === undefined) throw new Error('a failed validation without an issue');
  const fullPath = [...path, ...first.path];
  if (first.code !== 'invalid_union' || first.errors.length === 0) {
    return { ...first, fullPath, message: expectationOf(first) };
  }
  const found = first.errors.map((branch) => deepest(branch, fullPath));
  const best = found.reduce((a, b) => (b.fullPath.length > a.fullPath.length ? b : a));
  if (best.fullPath.length > fullPath.length) return best;
  return { ...first, fullPath, message: hasOwnWords(first) ? first.message : unionMessage(found) };
}

/** `expected a string or an array, received a number`: the branches differ in what they expect only. */
function unionMessage(found: readonly Issue[]): string {
  const messages = [...new Set(found.map(({ message }) => message))];
  const [, rest = ''] = messages[0]?.match(/^expected [^,]*(, .*)$/) ?? [];
  const expected = messages.map((message) => message.match(/^expected ([^,]*)/)?.[1]);
  const isAlike = rest !== '' && messages.every((message) => message.endsWith(rest)) && !expected.includes(undefined);
  return isAlike ? `expected ${expected.join(' or ')}${rest}` : messages.join('; or ');
}

/** Converts a failed validation to a 400 that names the field and what was expected there. `path`: where the value is. */
export function describeIssue(error: z.ZodError, path: readonly PropertyKey[] = []): GatewayError {
  const issue = deepest(error.issues, path);
  const place = fieldName(issue.fullPath);
  const message = truncateForError(issue.message, MAX_MESSAGE_CHARACTERS);
  // The message names all unknown fields, at the place of the object that has them.
  const [unknown] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const param = unknown === undefined ? place : fieldName([...issue.fullPath, unknown]);
  return new GatewayError('invalid_request', place === '' ? message : `'${place}': ${message}`, { param });
}
