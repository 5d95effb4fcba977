import { withCapability } from '@gateway/catalogue';
import { type SpeechFormat, type SpeechRequest, VOICE_ALIASES } from '@gateway/contracts';
import { SPEECH_PROTOCOLS, type SpeechCall } from '@gateway/upstreams';
import type { Lane, OpenWork, Series } from '../lane.js';
import { splitSpeech } from './split-speech.js';

const CONTENT_TYPES: Readonly<Record<SpeechFormat, string>> = { mp3: 'audio/mpeg', wav: 'audio/wav' };

/** POST /v1/audio/speech: a text of any length, spoken part by part where the upstream takes less at once. */
export const openSpeechParts: OpenWork = (ticket, catalogueModel, body): Series => {
  const model = withCapability(catalogueModel, 'speech');
  const request = JSON.parse(body.toString('utf8')) as SpeechRequest;
  const { protocol: protocolId, traits } = model.speech;
  const protocol = SPEECH_PROTOCOLS[protocolId];
  const format = traits.onlyFormat ?? request.response_format ?? 'mp3';
  const contentType = CONTENT_TYPES[format];

  const laneOf = (text: string): Lane => {
    const call: SpeechCall = {
      request: {
        text,
        voice: request.voice == null || VOICE_ALIASES.has(request.voice) ? traits.defaultVoice : request.voice,
        ...(request.instructions ? { instructions: request.instructions } : {}),
      },
      publicModel: model.id,
      traits,
      requestId: ticket.requestId,
      createdSeconds: Math.floor(ticket.admittedAtMs / 1_000),
    };
    return {
      vendor: model.vendor,
      publicModel: model.id,
      upstreamModel: model.upstreamModel,
      streamsToClient: true,
      streamsUpstream: true,
      contentType,
      buildRequest: (target) => protocol.buildRequest(call, target),
      readReply: () => {
        throw new Error('speech is always streamed');
      },
      openReader: () => protocol.openReader(call),
      readFailure: (failure) => protocol.readFailure(failure),
    };
  };

  return {
    parts: splitSpeech(request.input, traits.charactersPerCall).map(laneOf),
    contentType,
    sound: { format, sampleRateHz: traits.sampleRateHz },
  };
};
