import type { ChatCompletionRequest, ChatModelTraits } from '@gateway/contracts';
import { contentParam, unsupportedPart } from './refuse-request.js';

type InputKind = ChatModelTraits['inputs'][number];

const KIND_OF_PART: Readonly<Record<string, InputKind>> = {
  image_url: 'image',
  video_url: 'video',
  video: 'video',
  audio_url: 'audio',
  input_audio: 'audio',
  file: 'file',
};

/** Throws a GatewayError (400) that names the first content part of an unsupported kind. */
export function checkInputs(request: ChatCompletionRequest, traits: ChatModelTraits): void {
  for (const [messageIndex, { content }] of request.messages.entries()) {
    if (!Array.isArray(content)) continue;
    for (const [partIndex, { type }] of content.entries()) {
      const kind = KIND_OF_PART[type];
      if (kind !== undefined && !traits.inputs.includes(kind)) {
        throw unsupportedPart(type, contentParam(messageIndex, partIndex));
      }
    }
  }
}
