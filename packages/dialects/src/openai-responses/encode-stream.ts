import type { AnswerEncoder, AnswerFrame, AnswerHead, StreamPart, TokenCounts } from '@gateway/contracts';
import { CompactionStream } from './compaction-stream.js';
import type { ResponsesView } from './decode-request.js';
import { MessageEvents } from './message-events.js';
import { CALL_PREFIXES, type Call, callItem, clientToolOf, imageItem, itemId, reasoningItem } from './output-items.js';
import { endOf, type ResponseState, responseObject } from './response-object.js';
import type { ClientTool } from './tool-names.js';
import { EventWriter } from './write-event.js';

export const openEncoder = (frame: AnswerFrame<ResponsesView>): AnswerEncoder =>
  frame.view.isCompaction ? new CompactionStream(frame) : new ResponseStream(frame);

interface OpenCall {
  readonly id: string;
  readonly index: number;
  readonly call: Call;
  readonly tool: ClientTool;
  input: string;
}

interface OpenReasoning {
  readonly id: string;
  readonly index: number;
  text: string;
}

/** The events of a tool's input, by the kind of tool. A shell has none: its item ends whole. */
const INPUT_EVENTS = {
  function: { name: 'response.function_call_arguments', field: 'arguments' },
  custom: { name: 'response.custom_tool_call_input', field: 'input' },
  local_shell: undefined,
} as const;

/** Writes an answer as events: platform.openai.com/docs/api-reference/responses-streaming. */
class ResponseStream implements AnswerEncoder {
  readonly #events = new EventWriter();
  readonly #output: object[] = [];
  readonly #calls = new Map<number, OpenCall>();
  readonly #reasoning = new Map<number, OpenReasoning>();
  #message: MessageEvents | undefined;
  #created: number | undefined;
  #hasRefusal = false;
  #end: Pick<ResponseState, 'status' | 'reason'> = { status: 'completed' };

  constructor(private readonly frame: AnswerFrame<ResponsesView>) {}

  open({ createdSeconds }: AnswerHead): string {
    this.#created = createdSeconds;
    const response = this.#response({ status: 'in_progress', output: [] });
    return (
      this.#events.write('response.created', { response }) + this.#events.write('response.in_progress', { response })
    );
  }

  part(part: StreamPart): string {
    switch (part.type) {
      case 'text':
      case 'refusal':
        this.#hasRefusal ||= part.type === 'refusal';
        return this.#openMessage() + (this.#message?.delta(part) ?? '');
      case 'citation':
        return this.#message?.citation(part.block, part.citation) ?? '';
      case 'reasoning':
        return this.#reason(part.block, part.delta);
      case 'tool-call':
        return this.#call(part);
      case 'tool-input':
        return this.#input(part.block, part.delta);
      case 'part':
        return this.#closeMessage() + this.#whole(part.part);
      case 'end':
        return this.#endBlock(part);
      case 'finish':
        this.#end = endOf(part.reason, this.#hasRefusal);
        return this.#closeMessage(this.#end.status);
    }
  }

  close(counts: TokenCounts): string {
    const last = this.#closeMessage();
    const response = this.#response({ ...this.#end, output: this.#output, counts });
    return last + this.#events.write(`response.${this.#end.status}`, { response });
  }

  #response(state: ResponseState): object {
    return responseObject(this.frame, this.#created, state);
  }

  /** Takes the next place of the output. Its item is put there once it is done. */
  #place(): number {
    this.#output.push({});
    return this.#output.length - 1;
  }

  #added(index: number, item: object): string {
    return this.#events.write('response.output_item.added', { output_index: index, item });
  }

  #done(index: number, item: object): string {
    this.#output[index] = item;
    return this.#events.write('response.output_item.done', { output_index: index, item });
  }

  #openMessage(): string {
    if (this.#message !== undefined) return '';
    const index = this.#place();
    this.#message = new MessageEvents(this.#events, itemId('msg', this.frame.requestId, index), index);
    return this.#added(index, this.#message.item('in_progress'));
  }

  #closeMessage(status: 'in_progress' | 'completed' | 'incomplete' = 'completed'): string {
    const message = this.#message;
    if (message === undefined) return '';
    this.#message = undefined;
    return message.endPart() + this.#done(message.index, message.item(status));
  }

  #reason(block: number, delta: string): string {
    let open = this.#reasoning.get(block);
    let text = '';
    if (open === undefined) {
      text = this.#closeMessage() + this.#openReasoning(block);
      open = this.#reasoning.get(block) as OpenReasoning;
      const part = { type: 'summary_text', text: '' };
      text += this.#events.write('response.reasoning_summary_part.added', { ...summaryOf(open), part });
    }
    open.text += delta;
    return text + this.#events.delta('response.reasoning_summary_text.delta', summaryOf(open), delta);
  }

  #openReasoning(block: number): string {
    const index = this.#place();
    const id = itemId('rs', this.frame.requestId, index);
    this.#reasoning.set(block, { id, index, text: '' });
    return this.#added(index, reasoningItem(id, '', undefined));
  }

  #call({ block, type: _, ...call }: Extract<StreamPart, { type: 'tool-call' }>): string {
    const text = this.#closeMessage();
    const index = this.#place();
    const tool = clientToolOf(call, this.frame.view.clientTools);
    const id = itemId(CALL_PREFIXES[tool.kind], this.frame.requestId, index);
    this.#calls.set(block, { id, index, call, tool, input: '' });
    return text + this.#added(index, callItem(id, 'in_progress', call, '', tool));
  }

  #input(block: number, delta: string): string {
    const open = this.#calls.get(block);
    if (open === undefined) return '';
    open.input += delta;
    const events = INPUT_EVENTS[open.tool.kind];
    return events === undefined ? '' : this.#events.delta(`${events.name}.delta`, placeOf(open), delta);
  }

  #endBlock({ block, of, vendor }: Extract<StreamPart, { type: 'end' }>): string {
    if (of === 'tool-call') return this.#endCall(block);
    if (of !== 'reasoning') return this.#message?.endPart() ?? '';
    const text = this.#reasoning.has(block) ? '' : this.#closeMessage() + this.#openReasoning(block);
    const open = this.#reasoning.get(block) as OpenReasoning;
    this.#reasoning.delete(block);
    return text + this.#endSummary(open) + this.#done(open.index, reasoningItem(open.id, open.text, vendor));
  }

  #endSummary(open: OpenReasoning): string {
    if (open.text === '') return '';
    const { text } = open;
    const part = { type: 'summary_text', text };
    return (
      this.#events.write('response.reasoning_summary_text.done', { ...summaryOf(open), text }) +
      this.#events.write('response.reasoning_summary_part.done', { ...summaryOf(open), part })
    );
  }

  #endCall(block: number): string {
    const open = this.#calls.get(block);
    if (open === undefined) return '';
    this.#calls.delete(block);
    const { id, index, call, tool, input } = open;
    const events = INPUT_EVENTS[tool.kind];
    const last =
      events === undefined
        ? ''
        : this.#events.write(`${events.name}.done`, {
            ...placeOf(open),
            ...(tool.kind === 'function' && { name: tool.name }),
            [events.field]: input,
          });
    return last + this.#done(index, callItem(id, 'completed', call, input, tool));
  }

  #whole(part: Extract<StreamPart, { type: 'part' }>['part']): string {
    if (part.type !== 'media') return '';
    const id = itemId('ig', this.frame.requestId, this.#output.length);
    const item = imageItem(id, part);
    if (item === undefined) return '';
    const index = this.#place();
    return this.#added(index, { ...item, status: 'in_progress', result: null }) + this.#done(index, item);
  }
}

const placeOf = ({ id, index }: Pick<OpenCall, 'id' | 'index'>) => ({ item_id: id, output_index: index });
const summaryOf = (open: OpenReasoning) => ({ ...placeOf(open), summary_index: 0 });
