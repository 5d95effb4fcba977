import { parseExactJson } from '@gateway/contracts';
import { InteractionAnswer, type InteractionFrame } from './interaction-answer.js';
import type { Reply } from './reply.js';
import type { StepEvents } from './step-builder.js';

const NO_EVENTS: StepEvents = { write: () => '' };

/** A whole response of `generateContent` as an interaction. */
export function interactionOfReply(body: Uint8Array, frame: InteractionFrame): Buffer {
  const answer = new InteractionAnswer(frame, NO_EVENTS);
  answer.add(parseExactJson(Buffer.from(body).toString('utf8')) as Reply);
  answer.close();
  return Buffer.from(JSON.stringify(answer.object()));
}

/** Writes named events. A reader continues after the id of the last one that it has. */
class NumberedEvents implements StepEvents {
  #number = 0;

  write(type: string, fields: object): string {
    this.#number += 1;
    const data = JSON.stringify({ event_type: type, event_id: String(this.#number), ...fields });
    return `event: ${type}\ndata: ${data}\n\n`;
  }
}

const DONE = 'event: done\ndata: [DONE]\n\n';
const DATA = /^data: ?/;

/** Converts the events of `streamGenerateContent`, which are cut at any byte. */
export class InteractionStream {
  readonly #decoder = new TextDecoder();
  readonly #answer: InteractionAnswer;
  #rest = '';

  constructor(frame: InteractionFrame) {
    this.#answer = new InteractionAnswer(frame, new NumberedEvents());
  }

  read(bytes: Uint8Array): Buffer {
    const text = (this.#rest + this.#decoder.decode(bytes, { stream: true })).replaceAll('\r\n', '\n');
    const events = text.split('\n\n');
    this.#rest = events.pop() ?? '';
    return Buffer.from(events.map((event) => this.#convert(event)).join(''));
  }

  /** Call it for a complete stream only. */
  end(bytes: Uint8Array): Buffer {
    const last = this.read(bytes).toString('utf8') + this.#convert(this.#rest);
    return Buffer.from(last + this.#answer.close() + DONE);
  }

  /** Comments keep the connection open, and pass. */
  #convert(event: string): string {
    const lines = event.split('\n').filter((line) => DATA.test(line));
    if (lines.length === 0) return event.startsWith(':') ? `${event}\n\n` : '';
    const data = lines.map((line) => line.replace(DATA, '')).join('\n');
    return this.#answer.add(parseExactJson(data) as Reply);
  }
}

/** A whole interaction of another protocol, such as one with an image, as the events of a stream. */
export function streamOfInteraction(body: Uint8Array): string {
  const events = new NumberedEvents();
  const interaction = parseExactJson(Buffer.from(body).toString('utf8')) as Whole;
  const { id = '', model, status, steps, ...others } = interaction;
  const head = { id, object: 'interaction', model, status: 'in_progress' };
  // In their order: each event gets the next number.
  return [
    events.write('interaction.created', { interaction: head }),
    events.write('interaction.status_update', { interaction_id: id, status: 'in_progress' }),
    ...(steps ?? []).map((step, index) => eventsOfStep(events, step, index)),
    events.write('interaction.completed', { interaction: { id, model, status, ...others } }),
    DONE,
  ].join('');
}

interface WholeStep {
  readonly type: string;
  readonly content?: readonly object[];
  readonly signature?: string;
}

interface Whole {
  readonly id?: string;
  readonly model?: string;
  readonly status?: string;
  readonly steps?: readonly WholeStep[];
}

/** A step with contents is written in deltas, any other one at once. */
function eventsOfStep(events: StepEvents, step: WholeStep, index: number): string {
  const { type, content, signature } = step;
  const deltas: readonly object[] =
    content ?? (signature === undefined ? [] : [{ type: 'thought_signature', signature }]);
  const shown = content === undefined && signature === undefined ? step : { type };
  return [
    events.write('step.start', { index, step: shown }),
    ...deltas.map((delta) => events.write('step.delta', { index, delta })),
    events.write('step.stop', { index }),
  ].join('');
}
