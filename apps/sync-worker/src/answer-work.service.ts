import type { AudioEncoders } from '@gateway/audio';
import { GatewayError, type UpstreamAttempt } from '@gateway/contracts';
import type { StreamReader, UpstreamReply } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { AUDIO_ENCODERS } from './audio-door.js';
import { runAtMost } from './call-upstream/run-at-most.js';
import { joinParts } from './join-parts/join-parts.js';
import { PartsReader } from './join-parts/parts-reader.js';
import type { FanOut, Lane, Series, Work } from './lane.js';
import { OpenUpstream } from './open-upstream.service.js';
import type { OpenedAnswer } from './opened-answer.js';

/** Upstream calls of one request at the same time: a long list must not push everybody else's requests aside. */
const PARTS_AT_ONCE = 8;

/** A ticket's work as its spine follows it. */
export interface WorkInHand {
  readonly accountId: string;
  readonly isTest: boolean;
  readonly signal: AbortSignal;
  readonly attempts: UpstreamAttempt[];
  /** What meters the answer from here on, if it is cut off. */
  onReader(reader: StreamReader | undefined): void;
}

/** Opens the answer of any work: of one upstream call, of several at once, or of several one after the other. */
@Injectable()
export class AnswerWork {
  constructor(
    private readonly upstream: OpenUpstream,
    @Inject(AUDIO_ENCODERS) private readonly audio: AudioEncoders,
  ) {}

  open(work: Work, inHand: WorkInHand): Promise<OpenedAnswer> {
    if ('lanes' in work) return this.#atOnce(work, inHand);
    if ('parts' in work) return this.#inTurn(work, inHand);
    return this.upstream.open({ lane: work, ...inHand });
  }

  /** All parts or nothing: one that fails fails the request, and the others are cancelled. */
  async #atOnce(work: FanOut, { signal, ...inHand }: WorkInHand): Promise<OpenedAnswer> {
    const siblings = new AbortController();
    const either = AbortSignal.any([signal, siblings.signal]);
    const open = async (lane: Lane): Promise<UpstreamReply> => {
      either.throwIfAborted();
      const opened = await this.upstream.open({ ...inHand, lane, signal: either, onReader: () => undefined });
      if (opened.kind === 'stream') throw new Error('a part of an answer cannot be a stream');
      return opened;
    };
    try {
      return { kind: 'whole', ...work.merge(await runAtMost(work.lanes, PARTS_AT_ONCE, open)) };
    } catch (error) {
      siblings.abort(error);
      throw error;
    }
  }

  async #inTurn(series: Series, inHand: WorkInHand): Promise<OpenedAnswer> {
    const { contentType, sound } = series;
    const meter = new PartsReader();
    inHand.onReader(meter);
    const open = (lane: Lane, place: number): Promise<OpenedAnswer> =>
      this.upstream.open({ ...inHand, lane, onReader: (reader) => meter.onPart(place, reader) });
    const encoder = await this.audio.open(sound.format, sound.sampleRateHz);
    const rest = joinParts(series, encoder, meter, open);
    const { done, value: first } = await rest.next();
    if (done) throw new GatewayError('upstream_error', 'The upstream gave no sound.');
    const usage = meter.usage();
    // All of a text is billed with its first sound: what one part used is what the whole will cost.
    const isWholeKnown = series.parts.length === 1 && !usage.isEstimated;
    return {
      kind: 'stream',
      reader: meter,
      first,
      rest,
      contentType,
      release: () => undefined,
      ...(isWholeKnown && { wholeUsage: usage }),
    };
  }
}
