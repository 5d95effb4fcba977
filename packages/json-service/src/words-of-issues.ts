import type { z } from 'zod';

/** What a size counts, by what has it. A number and a date count nothing. */
const SIZES: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' elements',
  set: ' elements',
  map: ' elements',
  object: ' fields',
  file: ' bytes',
};

const TYPES: Readonly<Record<string, string>> = { int: 'a whole number', array: 'an array', object: 'an object' };

const REQUIRED = 'is required';

/** What is wrong with a field, for a person who mistyped it. Undefined: the library's own words. A schema's words go first. */
export function wordsOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? REQUIRED : `must be ${TYPES[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return issue.input === undefined ? REQUIRED : `must be ${oneOf(issue.values)}`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return sized(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    default:
      return undefined;
  }
}

const oneOf = (values: readonly unknown[]): string => `${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if (origin in SIZES && minimum === 1) return 'must not be empty';
  return sized(origin, inclusive === false ? 'more than' : 'at least', minimum);
}

function sized(origin: string, comparison: string, limit: number | bigint): string {
  const counted = SIZES[origin];
  return counted === undefined ? `must be ${comparison} ${limit}` : `must have ${comparison} ${limit}${counted}`;
}
