import { type Fields, fieldsOf, isFields, listOf } from '../json/fields.js';

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

/** Tried against a `pattern`; other patterns are not solved. */
const CANDIDATES = [
  ...Object.values(FORMATS),
  ...'a A 0 1 42 abc ABC AB ABC-123 ABC123 abc_123 abc-123 123 1234 12345 1.0 1.0.0 +15555550100 #a1b2c3 a1b2c3 12:30 Abc en-GB USD'.split(
    ' ',
  ),
];

const matching = (pattern: string, plain: string): string => {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, 'u');
  } catch {
    // An invalid pattern constrains nothing.
    return plain;
  }
  return [plain, ...CANDIDATES].find((candidate) => expression.test(candidate)) ?? plain;
};

/** Named after its property, so that a reader sees its origin. */
const fitText = (schema: Fields, { name, ordinal }: FitContext): string => {
  if (typeof schema.format === 'string' && schema.format in FORMATS) return FORMATS[schema.format] ?? name;
  const plain = `${name} ${ordinal}`;
  const text = typeof schema.pattern === 'string' ? matching(schema.pattern, plain) : plain;
  const atLeast = typeof schema.minLength === 'number' ? text.padEnd(schema.minLength, 'x') : text;
  return typeof schema.maxLength === 'number' ? atLeast.slice(0, schema.maxLength) : atLeast;
};

/** Below this depth optional properties and empty arrays are left out: a schema may be recursive. */
const MAX_DEPTH = 5;

interface FitContext {
  readonly root: Fields;
  /** The property. */
  readonly name: string;
  readonly depth: number;
  /** Which of several parallel calls, from 1. */
  readonly ordinal: number;
}

/** A valid value for the JSON schema, always the same for one schema and ordinal. */
export const fitSchema = (schema: unknown, ordinal = 1): unknown =>
  fit(schema, { root: fieldsOf(schema), name: 'value', depth: 0, ordinal });

const fit = (schema: unknown, place: FitContext): unknown => {
  const resolved = resolve(schema, place);
  if ('const' in resolved) return resolved.const;
  const choices = listOf(resolved.enum);
  if (choices.length > 0) return choices[(place.ordinal - 1) % choices.length];
  return (FITTERS.get(typeOf(resolved)) ?? fitText)(resolved, place);
};

/** Resolves references, merges `allOf`, picks the first alternative that is not null. */
const resolve = (schema: unknown, place: FitContext): Fields => {
  let current = fieldsOf(schema);
  for (let hops = 0; hops < 32; hops += 1) {
    const { $ref, anyOf, oneOf, allOf, ...rest } = current;
    if (typeof $ref === 'string') {
      current = { ...resolveReference(place.root, $ref), ...rest };
    } else if (Array.isArray(allOf)) {
      current = mergeAll([rest, ...allOf.map((part) => resolve(part, place))]);
    } else if (Array.isArray(anyOf) || Array.isArray(oneOf)) {
      const alternatives = [...listOf(anyOf), ...listOf(oneOf)].map(fieldsOf);
      current = mergeAll([rest, alternatives.find((one) => typeOf(one) !== 'null') ?? {}]);
    } else {
      return current;
    }
  }
  return {};
};

const resolveReference = (root: Fields, reference: string): Fields => {
  let found: unknown = root;
  for (const step of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    found = fieldsOf(found)[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return fieldsOf(found);
};

/** Later parts win; properties and required names add up. */
const mergeAll = (parts: readonly Fields[]): Fields => {
  const properties = parts.map((part) => part.properties).filter(isFields);
  const required = parts.flatMap((part) => listOf(part.required));
  return {
    ...Object.assign({}, ...parts),
    ...(properties.length > 0 ? { properties: Object.assign({}, ...properties) } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
};

const typeOf = (schema: Fields): string => {
  const given = Array.isArray(schema.type) ? listOf(schema.type) : [schema.type];
  const type = given.find((one) => one !== 'null') ?? given[0];
  if (typeof type === 'string') {
    // Gemini's types are in capitals.
    return type.toLowerCase();
  }
  return isFields(schema.properties) ? 'object' : 'items' in schema ? 'array' : 'string';
};

const fitObject = (schema: Fields, place: FitContext): Fields => {
  const properties = fieldsOf(schema.properties);
  const required = new Set(listOf(schema.required));
  const resolved = Object.keys(properties).filter((name) => required.has(name) || place.depth < MAX_DEPTH - 2);
  const object: Record<string, unknown> = {};
  for (const name of [...resolved, ...required].map(String)) {
    if (!(name in object) && place.depth < MAX_DEPTH * 4) {
      object[name] = fit(properties[name] ?? { type: 'string' }, { ...place, name, depth: place.depth + 1 });
    }
  }
  return object;
};

const fitArray = (schema: Fields, place: FitContext): unknown[] => {
  const min = typeof schema.minItems === 'number' ? schema.minItems : place.depth < MAX_DEPTH ? 1 : 0;
  const length = typeof schema.maxItems === 'number' ? Math.min(min, schema.maxItems) : min;
  const fixed = listOf(schema.prefixItems);
  return Array.from({ length: Math.max(length, fixed.length) }, (_, at) =>
    fit(fixed[at] ?? schema.items ?? { type: 'string' }, {
      ...place,
      depth: place.depth + 1,
      ordinal: place.ordinal + at,
    }),
  );
};

const fitNumber = (schema: Fields, { ordinal }: FitContext, isWhole = false): number => {
  const step = typeof schema.multipleOf === 'number' ? schema.multipleOf : isWhole ? 1 : 0.5;
  const min = bound(schema.minimum, schema.exclusiveMinimum, step);
  const max = bound(schema.maximum, schema.exclusiveMaximum, -step);
  const start = min ?? (max !== undefined && max < ordinal ? max : ordinal);
  const fitting = isWhole || schema.multipleOf !== undefined ? Math.ceil(start / step) * step : start;
  return max !== undefined && fitting > max ? max : fitting;
};

/** `exclusive` is a number, or `true` in older drafts. */
const bound = (inclusive: unknown, exclusive: unknown, step: number): number | undefined => {
  if (typeof exclusive === 'number') return exclusive + step;
  if (typeof inclusive === 'number') return exclusive === true ? inclusive + step : inclusive;
  return undefined;
};

const FITTERS = new Map<string, (schema: Fields, place: FitContext) => unknown>([
  ['object', fitObject],
  ['array', fitArray],
  ['integer', (schema, place) => fitNumber(schema, place, true)],
  ['number', fitNumber],
  ['boolean', () => true],
  ['null', () => null],
]);
