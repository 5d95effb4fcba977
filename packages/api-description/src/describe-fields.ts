import { FIELD_WORDS } from './field-words/index.js';

type Json = Record<string, unknown>;

/** `place`: the names from the schema or operation to the field. `holder`: what has its description. */
type Visit = (place: readonly string[], holder: Json) => void;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const entriesOf = (value: unknown): readonly (readonly [string, Json])[] =>
  Object.entries(isObject(value) ? value : {}).filter((entry): entry is [string, Json] => isObject(entry[1]));
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

function visitSchema(schema: unknown, place: readonly string[], visit: Visit): void {
  if (!isObject(schema)) return;
  for (const [name, field] of entriesOf(schema.properties)) {
    visit([...place, name], field);
    visitSchema(field, [...place, name], visit);
  }
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => listOf(schema[word]));
  for (const part of [...parts, schema.items, schema.additionalProperties]) visitSchema(part, place, visit);
}

const visitContent = (holder: unknown, place: readonly string[], visit: Visit): void => {
  for (const [, media] of entriesOf(isObject(holder) ? holder.content : {})) visitSchema(media.schema, place, visit);
};

/** The place of a parameter has the tag in front, as `files.path.id`: all operations of a tag mean the same. */
function visitOperation(name: string, operation: Json, visit: Visit): void {
  const id = String(operation.operationId ?? name);
  for (const parameter of listOf(operation.parameters)) {
    if (typeof parameter.name !== 'string') continue;
    visit([id.split('.')[0] ?? id, String(parameter.in), parameter.name], parameter);
  }
  visitContent(operation.requestBody, [id], visit);
  for (const [, response] of entriesOf(operation.responses)) visitContent(response, [id], visit);
}

/** Every parameter and every field of every schema of a document. */
function visitFields(document: Json, visit: Visit): void {
  const components = isObject(document.components) ? document.components : {};
  for (const [name, schema] of entriesOf(components.schemas)) visitSchema(schema, [name], visit);
  for (const [name, response] of entriesOf(components.responses)) visitContent(response, [name], visit);
  for (const [, methods] of [...entriesOf(document.paths), ...entriesOf(document.webhooks)]) {
    for (const [name, operation] of entriesOf(methods)) visitOperation(name, operation, visit);
  }
  for (const [name, parameter] of entriesOf(components.parameters)) visit(['header', name], parameter);
  for (const [name, header] of entriesOf(components.headers)) visit(['header', name], header);
}

/** The words of the longest end of a place. */
function wordsOf(place: readonly string[]): string | undefined {
  const ends = place.map((_name, index) => place.slice(index).join('.'));
  const known = ends.find((end) => Object.hasOwn(FIELD_WORDS, end));
  return known === undefined ? undefined : FIELD_WORDS[known];
}

const typesOf = (schema: Json): readonly unknown[] => [
  ...[schema.type].flat(),
  ...listOf(schema.anyOf).flatMap(({ type }) => [type].flat()),
];

/** Times have one name and two forms: seconds in OpenAI's objects, text elsewhere. */
function unitOf(name: string, schema: Json): string {
  if (!name.endsWith('_at')) return '';
  const types = typesOf(schema);
  if (types.includes('integer') || types.includes('number')) return ' Unix seconds.';
  return types.includes('string') ? ' ISO 8601, in UTC.' : '';
}

/** What `null` means is said only where it may be null. */
const withoutNull = (words: string, schema: Json): string => {
  const types = typesOf(schema);
  const isNeverNull = types.some((type) => type !== undefined) && !types.includes('null');
  return isNeverNull ? words.replace(/ Null: [^.]*\./, '') : words;
};

const ownWords = (holder: Json): unknown =>
  holder.description ?? (isObject(holder.schema) ? holder.schema.description : undefined);

/** Describes each field and parameter that its schema does not describe. Changes the document. */
export function describeFields(document: Json): void {
  visitFields(document, (place, holder) => {
    const own = ownWords(holder);
    const words = own ?? wordsOf(place);
    if (words === undefined) return;
    holder.description = own ?? `${withoutNull(String(words), holder)}${unitOf(place.at(-1) ?? '', holder)}`;
  });
}

/** The places of fields and parameters without a description. */
export function undescribedFields(document: Json): readonly string[] {
  const places = new Set<string>();
  visitFields(document, (place, holder) => {
    if (ownWords(holder) === undefined) places.add(place.join('.'));
  });
  return [...places];
}
