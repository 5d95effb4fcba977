import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Messages that the validator wrote itself. Schemas of ours may name what they expect in other words. */
const VALIDATOR_WORDS =
  /^(Invalid (discriminator value|input|option|string|number|ISO|URL|UUID|key|element)|Too (small|big)|Unrecognized key)/;
const RECEIVED = /, received (\w+)$/;
const MAX_NAMED_VALUES = 20;

const TYPES: Readonly<Record<string, string>> = {
  record: 'an object',
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  null: 'null',
  NaN: 'no number',
};

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  file: ['byte', 'bytes'],
};

const typeName = (type: string): string => TYPES[type] ?? type;

/** True if its schema says in words of ours what it expects. */
export const hasOwnWords = ({ message }: Issue): boolean => !VALIDATOR_WORDS.test(message);

/** What a field should have been, for a client that does not know the validator: `expected an object, received a string`. */
export function expectationOf(issue: Issue): string {
  if (hasOwnWords(issue)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return ofType(typeName(issue.expected), RECEIVED.exec(issue.message)?.[1]);
    case 'too_small':
      return isNonEmpty(issue)
        ? 'expected a value that is not empty'
        : `expected ${bound(issue, issue.minimum, 'at least', 'more than')}`;
    case 'too_big':
      return `expected ${bound(issue, issue.maximum, 'at most', 'less than')}`;
    case 'invalid_value':
      return ofValues(issue.values);
    case 'invalid_union':
      // Of a discriminated union. The branches of other unions have issues of their own.
      return 'options' in issue && issue.options !== undefined ? ofValues(issue.options) : issue.message;
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length === 1 ? 'field' : 'fields'} ${named(issue.keys)}`;
    case 'invalid_key': {
      const [first] = issue.issues;
      return first === undefined ? 'expected another name' : `${expectationOf(first)} in its name`;
    }
    case 'invalid_format':
      return issue.format === 'regex' ? 'expected another format' : `expected a valid ${issue.format}`;
    default:
      return issue.message.replace(/^Invalid input: /, '');
  }
}

function ofType(expected: string, received: string | undefined): string {
  if (received === undefined) return `expected ${expected}`;
  return received === 'undefined'
    ? `expected ${expected}, and the field is missing`
    : `expected ${expected}, received ${typeName(received)}`;
}

interface Bounded {
  readonly origin: string;
  readonly inclusive?: boolean;
  readonly exact?: boolean;
}

const isNonEmpty = ({ origin, minimum }: { origin: string; minimum: number | bigint }): boolean =>
  Object.hasOwn(UNITS, origin) && Number(minimum) === 1;

function bound(issue: Bounded, limit: number | bigint, inclusive: string, exclusive: string): string {
  const unit = UNITS[issue.origin]?.[Number(limit) === 1 ? 0 : 1];
  const amount = unit === undefined ? `${limit}` : `${limit} ${unit}`;
  if (issue.exact === true) return `exactly ${amount}`;
  return `${issue.inclusive === false ? exclusive : inclusive} ${amount}`;
}

function ofValues(values: readonly unknown[]): string {
  if (values.length === 1) return `expected ${named(values)}`;
  const shown = values.slice(0, MAX_NAMED_VALUES);
  return `expected one of ${named(shown)}${shown.length < values.length ? ', …' : ''}`;
}

const named = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(', ');
