import type { Dialect, DialectId } from '@gateway/contracts';
import { anthropicMessages } from './anthropic-messages/index.js';
import { geminiGenerate } from './gemini-generate/index.js';
import { openAiChat } from './openai-chat/index.js';
import { openAiResponses } from './openai-responses/index.js';

/** Client dialects by id. Adding one takes a folder and a line here. */
export const DIALECTS = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  'anthropic-messages': anthropicMessages,
  'gemini-generate': geminiGenerate,
} as const satisfies Partial<Record<DialectId, Dialect>>;

export { streamOfMessage } from './anthropic-messages/stream-of-answer.js';
export { streamOfContent } from './gemini-generate/stream-of-answer.js';
export { functionForm } from './openai-chat/function-calls.js';
export { reasoningForm } from './openai-chat/reasoning-field.js';
export { streamOfCompletion } from './openai-chat/stream-of-answer.js';
export { openAiCompaction } from './openai-responses/compaction.js';
export { textChunkOf, textCompletionOf, textCompletionsOf } from './text-completions/text-completion.js';
export { openTranscription } from './transcriptions/transcription.js';
