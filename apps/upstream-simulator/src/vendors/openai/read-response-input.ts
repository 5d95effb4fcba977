import type { PromptTally } from '../../count/tokens.js';
import { type Fields, fieldsOf, isAbsent, listOf, textOf } from '../../json/fields.js';
import { sealFault } from './encrypted-reasoning.js';
import { invalid, invalidType, invalidValue, missing, refuse } from './openai-errors.js';

const PART_TYPES = 'input_text input_image output_text refusal input_file computer_screenshot summary_text'.split(' ');
const MAX_CALL_ID = 64;
const ROLES = ['assistant', 'system', 'developer', 'user'];

export const quoted = (words: readonly string[]): string =>
  `${words
    .slice(0, -1)
    .map((word) => `'${word}'`)
    .join(', ')}, and '${words.at(-1)}'`;

const readPart = (part: Fields, where: string, tally: PromptTally): string => {
  const type = textOf(part.type);
  switch (type) {
    case 'input_image':
      if (typeof part.image_url !== 'string' && typeof part.file_id !== 'string') {
        throw invalidType(`${where}.image_url`, 'expected an image URL, but got an object instead');
      }
      tally.images += 1;
      return '';
    case 'input_file':
      tally.files += 1;
      return '';
    case 'input_text':
    case 'output_text':
    case 'refusal':
    case 'summary_text':
      return textOf(part.text ?? part.refusal);
    default:
      throw invalidValue(where, type, quoted(PART_TYPES));
  }
};

const readContent = (content: unknown, where: string, tally: PromptTally): string => {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part, at) => readPart(fieldsOf(part), `${where}[${at}]`, tally))
    .join('');
};

const notPersisted = (id: string) =>
  refuse(404, {
    message: `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    param: 'input',
  });

/** Kinds of calls that the client answers, as the vendor names them. */
const CALLS: Readonly<Record<string, string>> = {
  function_call: 'function call',
  custom_tool_call: 'custom tool call',
  local_shell_call: 'local shell call',
  shell_call: 'shell call',
  apply_patch_call: 'apply patch call',
  computer_call: 'computer call',
};

/** What a call of each kind holds. */
const CLIENT_CALLS = {
  local_shell_call: 'action',
  shell_call: 'action',
  apply_patch_call: 'operation',
  computer_call: 'action',
} as const;

type Reader = (item: Fields, at: number) => void;
type NamedReader = (item: Fields, at: number, name: string) => void;

const clientCalls = (read: NamedReader): Readonly<Record<string, Reader>> =>
  Object.fromEntries(
    Object.entries(CLIENT_CALLS).map(([type, field]) => [type, (item: Fields, at: number) => read(item, at, field)]),
  );

const clientOutputs = (read: NamedReader): Readonly<Record<string, Reader>> =>
  Object.fromEntries(
    Object.keys(CLIENT_CALLS).map((type) => [`${type}_output`, (item: Fields, at: number) => read(item, at, type)]),
  );

const requireText = (item: Fields, at: number, name: string): void => {
  if (typeof item[name] !== 'string') throw missing(`input[${at}].${name}`);
};

export type InputContext = Readonly<{ tally: PromptTally; organization: string; isStored: boolean }>;

/** Reads the items of an input. Tracks tool calls without an output. */
class InputReader {
  readonly #waiting = new Map<string, string>();
  readonly #readers: Readonly<Record<string, (item: Fields, at: number) => void>> = {
    message: (item, at) => this.#readMessage(item, at),
    function_call: (item, at) => this.#readCall(item, at, 'arguments'),
    function_call_output: (item, at) => this.#readOutput(item, at, 'function_call'),
    custom_tool_call: (item, at) => this.#readCall(item, at, 'input'),
    custom_tool_call_output: (item, at) => this.#readOutput(item, at, 'custom_tool_call'),
    ...clientCalls((item, at, field) => this.#readCall(item, at, field)),
    ...clientOutputs((item, at, call) => this.#readOutput(item, at, call)),
    web_search_call: (item, at) => this.#readSearch(item, at),
    image_generation_call: (item, at) => requireText(item, at, 'id'),
    tool_search_call: () => undefined,
    tool_search_output: (item, at) => this.#readTools(item, at),
    additional_tools: (item, at) => this.#readAdditionalTools(item, at),
    compaction: (item, at) => this.#readSealed(item, at),
    compaction_trigger: (_item, at) => this.#readTrigger(at),
    reasoning: (item, at) => this.#readReasoning(item, at),
    item_reference: (item) => {
      throw notPersisted(textOf(item.id));
    },
  };

  constructor(
    private readonly context: InputContext,
    private readonly length: number,
  ) {}

  read(item: Fields, at: number): void {
    const type = textOf(item.type) || 'message';
    const read = Object.hasOwn(this.#readers, type) ? this.#readers[type] : undefined;
    if (read === undefined) throw invalidValue(`input[${at}]`, type, quoted(Object.keys(this.#readers)));
    read(item, at);
  }

  end(): void {
    const [first] = this.#waiting;
    if (first !== undefined) throw invalid(`No tool output found for ${CALLS[first[1]]} ${first[0]}.`, 'input');
  }

  #readMessage(item: Fields, at: number): void {
    const { tally } = this.context;
    if (!ROLES.includes(textOf(item.role))) throw invalidValue(`input[${at}]`, item.role, quoted(ROLES));
    const text = readContent(item.content, `input[${at}].content`, tally);
    tally.addText(text);
    if (item.role === 'user') tally.lastUserText = text;
  }

  #readCall(item: Fields, at: number, input: string): void {
    requireText(item, at, 'call_id');
    if (input === 'arguments' || input === 'input') {
      requireText(item, at, 'name');
      requireText(item, at, input);
    } else if (isAbsent(item[input])) throw missing(`input[${at}].${input}`);
    const callId = textOf(item.call_id);
    if (callId.length > MAX_CALL_ID) {
      throw invalid(
        `Invalid 'input[${at}].call_id': string too long. Expected a string with maximum length ${MAX_CALL_ID}, but got a string with length ${callId.length} instead.`,
        `input[${at}].call_id`,
        'string_above_max_length',
      );
    }
    this.#waiting.set(callId, textOf(item.type));
  }

  #readOutput(item: Fields, at: number, call: string): void {
    const callId = textOf(item.call_id ?? item.id);
    if (this.#waiting.get(callId) !== call) {
      throw invalid(`No tool call found for ${CALLS[call]} output with call_id ${callId}.`, 'input');
    }
    this.#waiting.delete(callId);
    this.context.tally.addToolResult(readContent(item.output, `input[${at}].output`, this.context.tally));
  }

  #readSearch(item: Fields, at: number): void {
    if (typeof item.id !== 'string') throw missing(`input[${at}].id`);
    if (textOf(fieldsOf(item.action).type) === '') throw missing(`input[${at}].action`);
  }

  /** Without its encrypted content only an item that the vendor stored is known. */
  #readReasoning(item: Fields, at: number): void {
    if (!Array.isArray(item.summary)) throw missing(`input[${at}].summary`);
    const { encrypted_content: content } = item;
    if (typeof content !== 'string') {
      if (!this.context.isStored) throw notPersisted(textOf(item.id));
      return;
    }
    this.#checkSeal(item, content);
  }

  #readSealed(item: Fields, at: number): void {
    requireText(item, at, 'encrypted_content');
    this.#checkSeal(item, textOf(item.encrypted_content));
  }

  #checkSeal({ id }: Fields, content: string): void {
    const fault = sealFault(content, this.context.organization);
    if (fault === undefined) return;
    throw invalid(
      `The encrypted content for item ${textOf(id)} could not be verified. Reason: ${fault}`,
      null,
      'invalid_encrypted_content',
    );
  }

  #readTrigger(at: number): void {
    if (at !== this.length - 1)
      throw invalid(`Invalid 'input[${at}]': a compaction trigger must be the last item.`, 'input');
  }

  #readAdditionalTools(item: Fields, at: number): void {
    if (item.role !== 'developer') throw invalidValue(`input[${at}].role`, item.role, "'developer'");
    this.#readTools(item, at);
  }

  #readTools({ tools }: Fields, at: number): void {
    if (!Array.isArray(tools)) throw missing(`input[${at}].tools`);
  }
}

export const readResponseInput = (request: Fields, context: InputContext): void => {
  const { tally } = context;
  tally.addText(textOf(request.instructions));
  if (typeof request.input === 'string') {
    tally.addText(request.input);
    tally.lastUserText = request.input;
    return;
  }
  const items = listOf(request.input);
  if (items.length === 0) {
    throw invalid(
      'One of "input" or "previous_response_id" or \'prompt\' or \'conversation_id\' must be provided.',
      'input',
      'missing_required_parameter',
    );
  }
  const reader = new InputReader(context, items.length);
  items.forEach((item, at) => {
    reader.read(fieldsOf(item), at);
  });
  reader.end();
};
