import { countSpeechCharacters, NO_USAGE, type Usage } from '@gateway/contracts';
import { isJsonObject } from '../failures/error-body.js';
import { malformedResponse, parseUpstreamJson, responseCutShort } from '../failures/malformed-response.js';
import { readCount } from '../metering/token-counts.js';
import type { SpeechCall, StreamReader } from '../protocol.js';
import { SseDecoder } from '../sse/sse-decoder.js';
import type { SseEvent } from '../sse/sse-event.js';
import { errorInStream } from './errors.js';
import { speechEvent } from './wire.js';

const NOTHING = new Uint8Array(0);

/** Reads a stream of speech and gives its samples as they come. */
class SpeechReader implements StreamReader {
  readonly #decoder = new SseDecoder();
  #isFinal = false;
  #hasSound = false;
  #characters: number | undefined;
  #upstreamId: string | undefined;

  constructor(private readonly call: SpeechCall) {}

  get isFinal(): boolean {
    return this.#isFinal;
  }

  get upstreamId(): string | undefined {
    return this.#upstreamId;
  }

  read(bytes: Uint8Array): Uint8Array {
    const pieces = this.#decoder.push(bytes).map((event) => this.#samplesOf(event));
    return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
  }

  end(): Uint8Array {
    const event = this.#decoder.flush();
    const rest = event === undefined ? NOTHING : this.#samplesOf(event);
    if (!this.#isFinal) throw responseCutShort();
    return rest;
  }

  /** The vendor bills the text, all of it as soon as it speaks; without its count, as the vendor says that it counts. */
  usage(): Usage {
    const characters = this.#characters ?? (this.#hasSound ? countSpeechCharacters(this.call.request.text) : undefined);
    if (characters === undefined) return NO_USAGE;
    return {
      units: { character: characters },
      inputTokensTotal: 0,
      isEstimated: this.#characters === undefined,
    };
  }

  #samplesOf({ name, data }: SseEvent): Uint8Array {
    if (data === undefined) return NOTHING;
    const json = parseUpstreamJson(data);
    if (name === 'error' || (isJsonObject(json) && !('output' in json) && typeof json.code === 'string')) {
      throw isJsonObject(json) ? errorInStream(json) : malformedResponse();
    }
    const parsed = speechEvent.safeParse(json);
    if (!parsed.success) throw malformedResponse();
    const { request_id: requestId, output, usage } = parsed.data;
    this.#upstreamId ??= requestId ?? undefined;
    this.#characters = readCount(usage?.characters) ?? this.#characters;
    this.#isFinal ||= output.finish_reason === 'stop';
    const samples = Buffer.from(output.audio?.data ?? '', 'base64');
    this.#hasSound ||= samples.length > 0;
    return samples;
  }
}

export const openReader = (call: SpeechCall): StreamReader => new SpeechReader(call);
