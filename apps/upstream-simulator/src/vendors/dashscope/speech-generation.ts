import { invoiceOf } from '../../count/tokens.js';
import { type Fields, textOf } from '../../json/fields.js';
import { synthesizeTones } from '../../media/tones.js';
import type { IncomingRequest, Memory, RenderedReply, ReplyFrame } from '../vendor-emulator.js';
import { newUuid, nowSeconds } from '../vendor-ids.js';
import type { ModelFamily } from './model-family.js';
import { invalid, nativeHeaders } from './native-errors.js';
import { findSpeechModel, readSpeechRequest, type SpeechModel, type SpeechRequest } from './read-speech-request.js';

const CHARACTERS_PER_FRAME = 8;
const DAY_SECONDS = 86_400;

/** Events, numbered from 1. */
class SpeechEvents {
  #id = 0;
  readonly #expiresAt = nowSeconds() + DAY_SECONDS;

  constructor(
    private readonly requestId: string,
    private readonly parsed: SpeechRequest,
  ) {}

  frame(text: string): string {
    return this.#result(synthesizeTones(text).toString('base64'), 'null', {});
  }

  /** The vendor links to the whole file; this address has none. */
  end(): string {
    return this.#result('', 'stop', { url: `http://dashscope-result.example/${this.requestId}.wav` });
  }

  error(code: string, message: string): string {
    return this.#event('error', 500, { code, message, request_id: this.requestId });
  }

  #result(data: string, finishReason: string, more: object): string {
    const audio = { data, ...more, expires_at: this.#expiresAt, id: `audio_${this.requestId}` };
    return this.#event('result', 200, {
      output: { audio, finish_reason: finishReason },
      ...(this.parsed.directives.hidesUsage === true ? {} : { usage: { characters: this.parsed.characters } }),
      request_id: this.requestId,
    });
  }

  #event(name: string, status: number, data: object): string {
    this.#id += 1;
    return `id:${this.#id}\nevent:${name}\n:HTTP_STATUS/${status}\ndata:${JSON.stringify(data)}\n\n`;
  }
}

const cut = (text: string, frames: number | undefined): readonly string[] => {
  const characters = [...text];
  const size = frames === undefined ? CHARACTERS_PER_FRAME : Math.max(1, Math.ceil(characters.length / frames));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  );
};

const handle = (request: Fields, incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const model = findSpeechModel(textOf(request.model)) as SpeechModel;
  if (incoming.headers['x-dashscope-sse'] !== 'enable') {
    throw invalid("The simulator supports streamed speech only: X-DashScope-SSE must be 'enable'.");
  }
  const parsed = readSpeechRequest(request, model, memory);
  const requestId = newUuid();
  incoming.record.upstreamId = requestId;
  const events = new SpeechEvents(requestId, parsed);
  // The first frame bills the whole text.
  const billed = invoiceOf({ character: parsed.characters });
  const frames = cut(parsed.text, parsed.directives.chunks).map(
    (text): ReplyFrame => ({ billed, text: () => events.frame(text) }),
  );
  return {
    kind: 'rendered',
    directives: parsed.directives,
    headers: nativeHeaders(requestId),
    usage: billed,
    whole: () => '',
    stream: {
      frames,
      close: () => events.end(),
      fail: () =>
        events.error('InternalError.Algo', 'An internal error has occured during execution, please try again later.'),
    },
  };
};

/** Speech over the native interface: 16-bit samples at 24 kHz, mono. */
export const speechGeneration: ModelFamily = { has: (model) => findSpeechModel(model) !== undefined, handle };
