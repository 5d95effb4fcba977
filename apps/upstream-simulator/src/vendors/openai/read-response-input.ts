import type { PromptTally } from '../../count/tokens.js';
import { type Fields, fieldsOf, listOf, textOf } from '../../json/fields.js';
import { invalid, invalidType, invalidValue } from './openai-errors.js';

const PART_TYPES = 'input_text input_image output_text refusal input_file computer_screenshot summary_text'.split(' ');
const ITEM_TYPES = ['message', 'function_call', 'function_call_output', 'reasoning', 'item_reference'];
const ROLES = ['assistant', 'system', 'developer', 'user'];

const quoted = (words: readonly string[]): string =>
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

/** Tracks tool calls without an output. */
class InputReader {
  readonly #waiting = new Set<string>();

  constructor(private readonly tally: PromptTally) {}

  read(item: Fields, at: number): void {
    const type = textOf(item.type) || 'message';
    if (!ITEM_TYPES.includes(type)) throw invalidValue(`input[${at}]`, type, quoted(ITEM_TYPES));
    if (type === 'message') {
      this.#readMessage(item, at);
    } else if (type === 'function_call') {
      this.#waiting.add(textOf(item.call_id));
    } else if (type === 'function_call_output') {
      this.#readOutput(item, at);
    }
  }

  end(): void {
    const [callId] = this.#waiting;
    if (callId !== undefined) throw invalid(`No tool output found for function call ${callId}.`, 'input');
  }

  #readMessage(item: Fields, at: number): void {
    if (!ROLES.includes(textOf(item.role))) throw invalidValue(`input[${at}]`, item.role, quoted(ROLES));
    const text = readContent(item.content, `input[${at}].content`, this.tally);
    this.tally.addText(text);
    if (item.role === 'user') this.tally.lastUserText = text;
  }

  #readOutput(item: Fields, at: number): void {
    const callId = textOf(item.call_id);
    if (!this.#waiting.delete(callId)) {
      throw invalid(`No tool call found for function call output with call_id ${callId}.`, 'input');
    }
    this.tally.addToolResult(readContent(item.output, `input[${at}].output`, this.tally));
  }
}

export const readResponseInput = (request: Fields, tally: PromptTally): void => {
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
  const reader = new InputReader(tally);
  items.forEach((item, at) => {
    reader.read(fieldsOf(item), at);
  });
  reader.end();
};
