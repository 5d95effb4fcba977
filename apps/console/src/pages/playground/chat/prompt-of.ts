import { listOf, parseJson } from '../bench/json.js';

/** The instructions and the last message of a request that is tried again. */
export interface Prompt {
  readonly system: string;
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The text of a message in any client format: a string, or parts with a text. Other parts are left out. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return isFields(content) ? textOf(content.parts ?? content.text) : '';
  const texts = content.map((part) => (isFields(part) && typeof part.text === 'string' ? part.text : ''));
  return texts.filter((text) => text !== '').join('\n');
}

const isSystem = (item: unknown): boolean => isFields(item) && ['system', 'developer'].includes(String(item.role));
const isUser = (item: unknown): boolean => isFields(item) && item.role === 'user';
const messageText = (item: unknown): string => (isFields(item) ? textOf(item.content ?? item.parts) : '');

/** Undefined: the body is no chat, or its last message has no text. */
export function promptOf(body: string): Prompt | undefined {
  const fields = parseJson(body);
  if (!isFields(fields)) return undefined;
  const { messages, input, contents, system, instructions, systemInstruction } = fields;
  const turns = [messages, input, contents].map(listOf).find((list) => list.length > 0) ?? [];
  const text = typeof input === 'string' ? input : messageText(turns.findLast(isUser));
  if (text === '') return undefined;
  const given = [system, instructions, systemInstruction].map(textOf).find((one) => one !== '');
  return { system: given ?? messageText(turns.find(isSystem)), text };
}
