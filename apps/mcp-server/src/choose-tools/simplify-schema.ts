type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown): boolean => isNode(value) && Object.keys(value).length === 0;
const isNull = (value: unknown): boolean => isNode(value) && value.type === 'null';
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Shortens an input schema to what models and client libraries read. The gateway validates the arguments itself.
 * - `null` goes: client libraries may send it, but it doubles the length of a schema.
 * - A union has one choice for each type. LangChain merges the objects of a union by itself, and of a field that differs
 *   it keeps the last one: of all roles of a message only `tool`. Of an object beside other types it keeps the object alone,
 *   so that stands in a union of its own.
 * - What admits everything goes, such as names of properties that are texts.
 */
export function simplifySchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplifySchema);
  if (!isNode(value)) return value;
  const { anyOf, oneOf, ...rest } = value;
  const kept = Object.entries(rest).flatMap(([key, inner]) =>
    saysNothing(key, inner) ? [] : [[key, withoutNull(key, inner)]],
  );
  const node = Object.fromEntries(kept.map(([key, inner]) => [key, simplifySchema(inner)])) as Node;
  const choices = [...listOf(anyOf), ...listOf(oneOf)].filter((choice) => !isNull(choice));
  return choices.length === 0 ? node : { ...node, ...unionOf(choices.map(simplifySchema) as Node[]) };
}

const saysNothing = (key: string, value: unknown): boolean =>
  (key === 'additionalProperties' && isEmpty(value)) ||
  (key === 'propertyNames' && isNode(value) && value.type === 'string');

/** `["string", "null"]` becomes `"string"`. */
function withoutNull(key: string, value: unknown): unknown {
  if (key !== 'type' || !Array.isArray(value)) return value;
  const types = value.filter((type) => type !== 'null');
  return types.length === 1 ? types[0] : types;
}

/** How several choices of one type become one that admits each of them. */
const MERGES: Readonly<Record<string, (choices: readonly Node[]) => Node>> = {
  object: mergeObjects,
  array: mergeArrays,
  string: mergeStrings,
};

/** One schema for all choices: each type once. */
function unionOf(given: readonly Node[]): Node {
  const choices = distinct(given.flatMap(choicesOf));
  const merged = [...Map.groupBy(choices, ({ type }) => String(type))].flatMap(([type, group]) => {
    const merge = group.length > 1 ? MERGES[type] : undefined;
    return merge === undefined ? group : [merge(group)];
  });
  const [only] = merged;
  return only !== undefined && merged.length === 1 ? only : { anyOf: merged.map(apart) };
}

const choicesOf = (choice: Node): readonly Node[] =>
  Array.isArray(choice.anyOf) ? (choice.anyOf as Node[]).flatMap(choicesOf) : [choice];

const apart = (choice: Node): Node => (choice.type === 'object' ? { anyOf: [choice] } : choice);

function mergeObjects(choices: readonly Node[]): Node {
  const fields = choices.map(({ properties }) => Object.entries(isNode(properties) ? properties : {}));
  const byName = Map.groupBy(fields.flat(), ([name]) => name);
  const properties = [...byName].map(([name, schemas]) => [name, unionOf(schemas.map(([, schema]) => schema as Node))]);
  const [first = [], ...others] = choices.map(({ required }) => listOf(required));
  const required = first.filter((name) => others.every((names) => names.includes(name)));
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(choices.every(({ additionalProperties }) => additionalProperties === false) && { additionalProperties: false }),
  };
}

function mergeArrays(choices: readonly Node[]): Node {
  return {
    type: 'array',
    items: unionOf(choices.map(({ items }) => (isNode(items) ? items : {}))),
    ...loosest(choices, 'minItems', Math.min),
    ...loosest(choices, 'maxItems', Math.max),
  };
}

function mergeStrings(choices: readonly Node[]): Node {
  const words = choices.map((choice) => ('const' in choice ? [choice.const] : choice.enum));
  if (words.every(Array.isArray)) return { type: 'string', enum: [...new Set(words.flat())] };
  return { type: 'string', ...loosest(choices, 'minLength', Math.min) };
}

/** A limit that every choice has, as the most generous of them has it. */
function loosest(choices: readonly Node[], limit: string, pick: (...values: number[]) => number): Node {
  const values = choices.map((choice) => choice[limit]).filter((value) => typeof value === 'number');
  return values.length === choices.length ? { [limit]: pick(...values) } : {};
}

const distinct = (choices: readonly Node[]): readonly Node[] => [
  ...new Map(choices.map((choice) => [JSON.stringify(choice), choice])).values(),
];
