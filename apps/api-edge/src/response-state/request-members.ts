import {
  type Changes,
  elementsOfList,
  expectedMember,
  itemsSinceCompaction,
  jsonBytes,
  mayRepeatCalls,
  repeatedItems,
  STATE_FORMS,
  type StateForm,
} from '@gateway/contracts';

/** The members of a request's body that concern stored responses. */
export interface StateMembers {
  /** The bytes of `input`, unless it is absent or null. */
  readonly input: Buffer | undefined;
  readonly previousId: string | undefined;
  readonly conversationId: string | undefined;
  readonly isStored: boolean;
  /** The client says that it needs the response later; without a word it is stored too. */
  readonly isStoreAsked: boolean;
  readonly isStream: boolean;
  /** The response runs in the background: its client reads it later. */
  readonly isBackground: boolean;
}

type Range = Pick<jsonBytes.MemberRange, 'start' | 'end'>;

const REFERENCE = Buffer.from('item_reference');
const CLOSE_OBJECT = 0x7d;
const OPEN_OBJECT = 0x7b;

/** Of a repeated name the last value counts, as for a parser. */
const lastOf = (body: Buffer, name: string): Range | undefined =>
  jsonBytes.locateMembers(body).findLast((member) => member.name === name);

/** The body has not been parsed yet. A value that does not parse is the parser's to report. */
function valueAt(body: Buffer, range: Range | undefined): unknown {
  if (range === undefined) return undefined;
  try {
    return JSON.parse(body.toString('utf8', range.start, range.end));
  } catch {
    return undefined;
  }
}

/** Reads the members without parsing the prompt. Throws a 400 that names a wrong one. */
export function readStateMembers(body: Buffer, form: StateForm = STATE_FORMS.responses): StateMembers {
  const ranges = new Map(jsonBytes.locateMembers(body).map((member) => [member.name, member] as const));
  const { previousId, conversationId } = form.continuation(
    valueAt(body, ranges.get(form.previousMember)),
    valueAt(body, ranges.get('conversation')),
  );
  const store = valueAt(body, ranges.get('store'));
  const isStored = store !== false;
  const isStream = valueAt(body, ranges.get('stream')) === true;
  const isBackground = valueAt(body, ranges.get('background')) === true;
  if (isBackground && !isStored)
    throw expectedMember('store', "true beside 'background': a response in the background is read from the store");
  const range = ranges.get('input');
  const input = range === undefined ? undefined : body.subarray(range.start, range.end);
  return {
    input: input?.equals(NULL) === true ? undefined : input,
    previousId,
    conversationId,
    isStored,
    isStoreAsked: store === true,
    isStream,
    isBackground,
  };
}

/** All members of a body except its prompt. A value that does not parse is left out. */
export const membersBesideInput = (body: Buffer): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    jsonBytes
      .locateMembers(body)
      .filter(({ name }) => name !== 'input')
      .map((member) => [member.name, valueAt(body, member)]),
  );

const NULL = Buffer.from('null');

/** Whether an input may have items that only name a stored item. */
export const mayReferToItems = (input: Buffer | undefined): boolean => input?.includes(REFERENCE) ?? false;

/** The body with another value of a member, of these parts. All other bytes stay. Each byte is copied once. */
export function withMember(body: Buffer, name: string, ...value: readonly Buffer[]): Buffer {
  const range = lastOf(body, name);
  if (range !== undefined) return Buffer.concat([body.subarray(0, range.start), ...value, body.subarray(range.end)]);
  const open = body.indexOf(OPEN_OBJECT);
  if (open === -1) return body;
  const isEmpty =
    body
      .subarray(open + 1)
      .toString('latin1', 0, 64)
      .trimStart()
      .charCodeAt(0) === CLOSE_OBJECT;
  const member = Buffer.from(`${JSON.stringify(name)}:`);
  return Buffer.concat([
    body.subarray(0, open + 1),
    member,
    ...value,
    Buffer.from(isEmpty ? '' : ','),
    body.subarray(open + 1),
  ]);
}

const COMMA = Buffer.from(',');
const isBlank = (elements: Buffer): boolean => elements.length < 64 && elements.toString('latin1').trim() === '';

/** The parts of one array of all elements. */
export function joinElements(parts: readonly Buffer[]): readonly Buffer[] {
  const filled = parts.filter((part) => !isBlank(part));
  const separated = filled.flatMap((part, index) => (index === 0 ? [part] : [COMMA, part]));
  return [Buffer.from('['), ...separated, Buffer.from(']')];
}

/** The elements of the output in the JSON of a response. */
export function outputElements(responseJson: string, { outputMember }: StateForm): Buffer {
  const response = Buffer.from(responseJson);
  const range = lastOf(response, outputMember);
  return range === undefined ? Buffer.alloc(0) : elementsOfList(response.subarray(range.start, range.end));
}

const TRIGGER = Buffer.from('"compaction_trigger"');
/** A history without what a compaction in it stands for. Parses only a history in which one was asked for. */
export function sinceCompaction(elements: readonly Buffer[]): readonly Buffer[] {
  if (!elements.some((element) => element.includes(TRIGGER))) return elements;
  const items = JSON.parse(Buffer.concat(joinElements(elements)).toString('utf8')) as readonly unknown[];
  return itemsSinceCompaction(items).map((item) => Buffer.from(JSON.stringify(item)));
}

/** An input, and what it lost. */
interface OwnInput {
  readonly input: Buffer;
  readonly changes?: Changes;
}

/** A longer history is not parsed to find a message in it. */
const MAX_PARSED_HISTORY_BYTES = 8 * 1024 * 1024;

/**
 * An input without items that its history has: `elements` end with the answer that it continues. Parses only an input with
 * calls and that answer, and the history only of an input that repeats a call. The parser reports an input that is no JSON.
 */
export function withoutRepeatedItems(input: Buffer, elements: readonly Buffer[]): OwnInput {
  const items = mayRepeatCalls(input) ? listOf(input) : [];
  const output = items.length === 0 ? [] : listOf(Buffer.concat(joinElements(elements.slice(-1))));
  const history = () =>
    bytesOf(elements) > MAX_PARSED_HISTORY_BYTES ? [] : listOf(Buffer.concat(joinElements(elements)));
  const repeated = repeatedItems(items, { output, history });
  if (repeated.size === 0) return { input };
  return {
    input: Buffer.from(JSON.stringify(items.filter((_, index) => !repeated.has(index)))),
    changes: { filled: {}, dropped: [...repeated].map((index) => `input[${index}]`) },
  };
}

const bytesOf = (parts: readonly Buffer[]): number => parts.reduce((sum, { length }) => sum + length, 0);

function listOf(json: Buffer): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(json.toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
