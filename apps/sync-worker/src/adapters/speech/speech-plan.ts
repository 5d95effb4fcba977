import { withCapability } from '@gateway/catalogue';
import { type Changes, changesBetween, type SpeechFormat, type SpeechRequest, VOICE_ALIASES } from '@gateway/contracts';
import { SPEECH_PROTOCOLS, type SpeechCall } from '@gateway/upstreams';
import type { StreamAdapter } from '../../model-adapter.js';
import { bindStream, callIdentity } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';
import { splitSpeech } from './split-speech.js';

const CONTENT_TYPES: Readonly<Record<SpeechFormat, string>> = { mp3: 'audio/mpeg', wav: 'audio/wav' };

/** POST /v1/audio/speech: a text of any length, one upstream call for each part that the upstream accepts. */
export const planSpeech: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'speech');
  const request = JSON.parse(body.toString('utf8')) as SpeechRequest;
  const { protocol, traits } = model.speech;
  const format = traits.onlyFormat ?? request.response_format ?? 'mp3';
  const contentType = CONTENT_TYPES[format];
  const voice = request.voice == null || VOICE_ALIASES.has(request.voice) ? traits.defaultVoice : request.voice;

  const adaptPart = (text: string): StreamAdapter => {
    const call: SpeechCall = {
      request: {
        text,
        voice,
        ...(request.instructions ? { instructions: request.instructions } : {}),
      },
      publicModel: model.id,
      traits,
      ...callIdentity(ticket),
    };
    return bindStream(model, SPEECH_PROTOCOLS[protocol], call, { contentType });
  };

  return {
    kind: 'sequence',
    adapters: splitSpeech(request.input, traits.charactersPerCall).map(adaptPart),
    contentType,
    audio: { format, sampleRateHz: traits.sampleRateHz },
    changes: changesOf(request, voice, format),
  };
};

/** The upstream has no speed. A default format is not reported: the content type says it. */
const changesOf = (request: SpeechRequest, voice: string, format: SpeechFormat): Changes => {
  const { voice: givenVoice, response_format: givenFormat, speed } = request;
  const given = { voice: givenVoice, response_format: givenFormat, speed: speed === 1 ? null : speed };
  return changesBetween(given, { voice, ...(givenFormat != null && { response_format: format }) });
};
