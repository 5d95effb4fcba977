import type { PromptTally } from '../../count/tokens.js';
import { type Fields, fieldsOf, isAbsent, listOf, textOf } from '../../json/fields.js';
import { invalid } from './dashscope-errors.js';
import type { DashScopeModel } from './dashscope-models.js';

const ROLES = ['system', 'user', 'assistant', 'tool'];

class MessageReader {
  readonly #waiting = new Set<string>();

  constructor(
    private readonly model: DashScopeModel,
    private readonly tally: PromptTally,
  ) {}

  read(message: Fields, at: number): void {
    const role = textOf(message.role);
    if (!ROLES.includes(role)) {
      throw invalid(`${role} is not one of ['system', 'assistant', 'user', 'tool'] - 'messages.${at}.role'`);
    }
    this.#checkToolResults(message);
    if (isAbsent(message.content) && role !== 'assistant') throw invalid(`Field required: messages.${at}.content`);
    const text = this.#content(message.content, at);
    if (role === 'tool') {
      this.tally.toolResults.push(text);
    } else if (role === 'user') {
      this.tally.lastUserText = text;
    }
  }

  end(): void {
    if (this.#waiting.size > 0) throw missingResults(this.#waiting);
  }

  #checkToolResults(message: Fields): void {
    if (message.role === 'tool') {
      if (!this.#waiting.delete(textOf(message.tool_call_id))) {
        throw invalid('messages with role "tool" must be a response to a preceeding message with "tool_calls".');
      }
      return;
    }
    if (this.#waiting.size > 0) throw missingResults(this.#waiting);
    for (const call of listOf(message.tool_calls)) this.#waiting.add(textOf(fieldsOf(call).id));
  }

  #content(content: unknown, at: number): string {
    const texts = Array.isArray(content)
      ? content.map((part, index) => this.#part(fieldsOf(part), `messages.${at}.content.${index}`))
      : [textOf(content)];
    for (const text of texts) this.tally.addText(text);
    return texts.join('');
  }

  #part(part: Fields, where: string): string {
    switch (part.type) {
      case 'text':
        return textOf(part.text);
      case 'image_url':
        this.#media('image', fieldsOf(part.image_url).url, `${where}.image_url.url`);
        this.tally.images += 1;
        return '';
      case 'video_url':
        this.#media('video', fieldsOf(part.video_url).url, `${where}.video_url.url`);
        this.tally.videos += 1;
        return '';
      case 'video':
        this.#media('video', listOf(part.video)[0], `${where}.video`);
        this.tally.videos += 1;
        return '';
      case 'input_audio':
        this.#media('audio', fieldsOf(part.input_audio).data, `${where}.input_audio.data`);
        this.tally.audios += 1;
        return '';
      default:
        throw invalid(`Unexpected item type in content: ${String(part.type)}`);
    }
  }

  /** Bare base64 is refused, also in `input_audio`. */
  #media(kind: 'image' | 'video' | 'audio', address: unknown, where: string): void {
    if (!this.model.inputs.includes(kind)) throw invalid(`The model ${this.model.id} does not support ${kind} input.`);
    if (!/^(https?:\/\/|data:|oss:\/\/)/.test(textOf(address).slice(0, 16))) {
      throw invalid(`The provided URL does not appear to be valid. Ensure it is correctly formatted. - '${where}'`);
    }
  }
}

const missingResults = (waiting: ReadonlySet<string>) =>
  invalid(
    `An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: ${[...waiting].join(', ')}`,
  );

export const readChatMessages = (messages: unknown, model: DashScopeModel, tally: PromptTally): void => {
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('Field required: messages');
  const reader = new MessageReader(model, tally);
  messages.map(fieldsOf).forEach((message, at) => {
    reader.read(message, at);
  });
  reader.end();
};
