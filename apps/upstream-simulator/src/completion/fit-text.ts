import type { Fields } from '../json/fields.js';

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05Z',
  duration: 'PT1H',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

/** Tried in turn against a `pattern`: expressions beyond these are not solved. */
const CANDIDATES = [
  ...Object.values(FORMATS),
  'a',
  'A',
  '0',
  '1',
  '42',
  'abc',
  'ABC',
  'AB',
  'ABC-123',
  'ABC123',
  'abc_123',
  'abc-123',
  '123',
  '1234',
  '12345',
  '1.0',
  '1.0.0',
  '+15555550100',
  '#a1b2c3',
  'a1b2c3',
  '12:30',
  'Abc',
  'en-GB',
  'USD',
];

const matching = (pattern: string, plain: string): string => {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, 'u');
  } catch {
    // A pattern that is no expression here constrains nothing here.
    return plain;
  }
  return [plain, ...CANDIDATES].find((candidate) => expression.test(candidate)) ?? plain;
};

/** A string for the schema: named after its property, so that a reader sees where it came from. */
export const fitText = (schema: Fields, name: string, ordinal: number): string => {
  if (typeof schema.format === 'string' && schema.format in FORMATS) return FORMATS[schema.format] ?? name;
  const plain = `${name} ${ordinal}`;
  const text = typeof schema.pattern === 'string' ? matching(schema.pattern, plain) : plain;
  const atLeast = typeof schema.minLength === 'number' ? text.padEnd(schema.minLength, 'x') : text;
  return typeof schema.maxLength === 'number' ? atLeast.slice(0, schema.maxLength) : atLeast;
};
