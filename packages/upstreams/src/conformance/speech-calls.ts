import type { SpeechCall, SpeechPart } from '../protocol.js';

/** A call of a small speech model. */
export const speechCall = (publicModel: string, request: SpeechPart): SpeechCall => ({
  request,
  publicModel,
  traits: {
    charactersPerCall: 600,
    sampleRateHz: 24_000,
    defaultVoice: 'Cherry',
    supportsInstructions: true,
    onlyFormat: null,
  },
  requestId: 'req_abcdefghijklmnopqrstuvwxyz',
  createdSeconds: 1_795_168_800,
});
