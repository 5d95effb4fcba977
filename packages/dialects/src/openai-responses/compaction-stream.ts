import type { AnswerEncoder, AnswerFrame, AnswerHead, StreamPart, TokenCounts } from '@gateway/contracts';
import { compactionOf } from './compaction-item.js';
import type { ResponsesView } from './decode-request.js';
import { endOf, type ResponseState, responseObject } from './response-object.js';
import { EventWriter } from './write-event.js';

/** Writes a summary as one compaction, once it is complete: its content is opaque, so it has no deltas. */
export class CompactionStream implements AnswerEncoder {
  readonly #events = new EventWriter();
  #text = '';
  #created: number | undefined;
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
    if (part.type === 'text') this.#text += part.delta;
    else if (part.type === 'finish') this.#end = endOf(part.reason, false);
    return '';
  }

  close(counts: TokenCounts): string {
    const output = compactionOf([{ type: 'text', text: this.#text }], this.frame.requestId);
    const items = output.map((item, index) => {
      const place = { output_index: index, item };
      return (
        this.#events.write('response.output_item.added', place) + this.#events.write('response.output_item.done', place)
      );
    });
    const response = this.#response({ ...this.#end, output, counts });
    return items.join('') + this.#events.write(`response.${this.#end.status}`, { response });
  }

  #response(state: ResponseState): object {
    return responseObject(this.frame, this.#created, state);
  }
}
