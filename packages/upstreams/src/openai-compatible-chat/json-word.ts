import type { ChatCompletionRequest } from '@gateway/contracts';
import { textOf } from '../client-request/text-of.js';

export const JSON_INSTRUCTION = { role: 'system', content: 'Answer with one JSON object.' } as const;

/** These vendors reject `json_object` unless a message contains "json". */
export const needsJsonWord = (request: ChatCompletionRequest): boolean =>
  request.response_format?.type === 'json_object' &&
  !request.messages.some(({ content }) => /json/i.test(textOf(content)));
