import { type JsonObject, mayHoldLargeIntegers, parseExactJson } from '@gateway/contracts';

/**
 * Parses a request that is translated. Integers of earlier calls and results keep all their digits; elsewhere, such as in
 * schemas, they are numbers. `history`: the member with the conversation.
 */
export function withExactHistory(body: Buffer, history: 'messages' | 'contents'): JsonObject {
  const text = body.toString('utf8');
  const request = JSON.parse(text) as JsonObject;
  if (!mayHoldLargeIntegers(text)) return request;
  const exact = parseExactJson(text) as JsonObject;
  if (history === 'contents') return { ...request, contents: exact.contents };
  // Messages of other roles may hold schemas of tools, and hold no calls.
  const messages = (exact.messages as readonly JsonObject[]).map((message, at) =>
    message.role === 'assistant' ? message : (request.messages as readonly JsonObject[])[at],
  );
  return { ...request, messages };
}
