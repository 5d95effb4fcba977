import { type Changes, mergeChanges } from '@gateway/contracts';
import { replaceTopMembers } from '../../json/replace-member.js';
import type { PassThroughMessagesCall, Target, WireRequest } from '../../protocol.js';
import { API_VERSION } from '../wire.js';
import { ownMessages } from './own-thinking.js';
import { capWebTools } from './web-tools.js';

const MESSAGES_PATH = '/v1/messages';
const COUNT_PATH = '/v1/messages/count_tokens';

/** The client's own headers and query, our credential, and the client's bytes with another name of the model. */
export const buildCountRequest = (call: PassThroughMessagesCall, target: Target): WireRequest => ({
  ...about(COUNT_PATH, call, target),
  body: replaceTopMembers(call.body, (name, value) =>
    name === 'messages' ? ownMessages(value).json : modelIn(name, target),
  ),
});

/** As a count. Searches and fetches get the limit that the hold covers. */
export function buildMessagesRequest(call: PassThroughMessagesCall, target: Target): WireRequest {
  let changes: Changes | undefined;
  const body = replaceTopMembers(call.body, (name, value) => {
    if (name === 'messages') {
      const { json, dropped } = ownMessages(value);
      if (dropped.length > 0) changes = mergeChanges(changes, { filled: {}, dropped });
      return json;
    }
    if (name !== 'tools') return modelIn(name, target);
    const capped = capWebTools(value);
    changes = mergeChanges(changes, capped.changes);
    return capped.json;
  });
  return { ...about(MESSAGES_PATH, call, target), body, ...(changes !== undefined && { changes }) };
}

const modelIn = (name: string, { upstreamModel }: Target): string | undefined =>
  name === 'model' ? JSON.stringify(upstreamModel) : undefined;

const about = (path: string, { forward, streams }: PassThroughMessagesCall, target: Target) => ({
  method: 'POST' as const,
  url: `${target.baseUrl}${path}${forward.query}`,
  headers: {
    'anthropic-version': API_VERSION,
    ...forward.headers,
    'x-api-key': target.credential,
    'content-type': 'application/json',
    accept: streams ? 'text/event-stream' : 'application/json',
  },
});
