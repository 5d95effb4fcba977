import { countSpeechCharacters, isJsonObject, NO_USAGE, type Usage } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson, responseCutShort } from '../failures/malformed-response.js';
import { readCount } from '../metering/token-counts.js';
import { type KnownUsage, unpricedIn, withUnpriced } from '../metering/unpriced-usage.js';
import type { SpeechCall, StreamReader } from '../protocol.js';
import { SseDecoder } from '../sse/sse-decoder.js';
import type { SseEvent } from '../sse/sse-event.js';
import { errorInStream } from './errors.js';
import { speechEvent } from './wire.js';

/** Speech is sold by the character; its tokens have no price. */
const KNOWN: KnownUsage = {
  counts: new Set([
    ...['characters', 'input_tokens', 'output_tokens', 'total_tokens', 'input_tokens_details.text_tokens'],
    ...['output_tokens_details.audio_tokens', 'output_tokens_details.text_tokens'],
  ]),
};

const EMPTY = new Uint8Array(0);

/** Decodes a speech stream to 16-bit samples. */
class SpeechReader implements StreamReader {
  readonly #decoder = new SseDecoder();
  #isFinal = false;
  #hasAudio = false;
  #characters: number | undefined;
  #unpriced: readonly string[] = [];
  #upstreamId: string | undefined;

  constructor(private readonly call: SpeechCall) {}

  get isFinal(): boolean {
    return this.#isFinal;
  }

  get upstreamId(): string | undefined {
    return this.#upstreamId;
  }

  read(bytes: Uint8Array): Uint8Array {
    const parts = this.#decoder.push(bytes).map((event) => this.#samplesOf(event));
    return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
  }

  end(): Uint8Array {
    const event = this.#decoder.flush();
    const last = event === undefined ? EMPTY : this.#samplesOf(event);
    if (!this.#isFinal) throw responseCutShort();
    return last;
  }

  /** The vendor bills the whole text with the first audio. Without its count, counts characters by its documented rule. */
  usage(): Usage {
    const characters = this.#characters ?? (this.#hasAudio ? countSpeechCharacters(this.call.request.text) : undefined);
    if (characters === undefined) return NO_USAGE;
    const isEstimated = this.#characters === undefined;
    return withUnpriced({ units: { character: characters }, inputTokensTotal: 0, isEstimated }, this.#unpriced);
  }

  #samplesOf({ name, data }: SseEvent): Uint8Array {
    if (data === undefined) return EMPTY;
    const json = parseUpstreamJson(data);
    if (name === 'error' || (isJsonObject(json) && !('output' in json) && typeof json.code === 'string')) {
      throw isJsonObject(json) ? errorInStream(json) : malformedResponse();
    }
    const parsed = speechEvent.safeParse(json);
    if (!parsed.success) throw malformedResponse();
    const { request_id: requestId, output, usage } = parsed.data;
    this.#upstreamId ??= requestId ?? undefined;
    this.#characters = readCount(usage?.characters) ?? this.#characters;
    if (usage != null) this.#unpriced = unpricedIn(usage, KNOWN);
    this.#isFinal ||= output.finish_reason === 'stop';
    const samples = Buffer.from(output.audio?.data ?? '', 'base64');
    this.#hasAudio ||= samples.length > 0;
    return samples;
  }
}

export const openReader = (call: SpeechCall): StreamReader => new SpeechReader(call);
