import { describe, expect, it } from '@jest/globals';
import type { ChatCall } from '../protocol.js';
import { parseChatCall } from './chat-call.js';

const facts = { publicModel: 'm', requestId: 'r', createdSeconds: 1, traits: {} as ChatCall['traits'] };
const body = Buffer.from('{"model":"m","messages":[]}');

describe('parseChatCall', () => {
  it('gives a request without a cap the one that its hold pays for', () => {
    const { members, request } = parseChatCall(body, { ...facts, outputCap: 5_000 });
    expect(members.read('max_completion_tokens')).toBe(5_000);
    expect(request).toEqual({ model: 'm', messages: [], max_completion_tokens: 5_000 });
  });

  it('changes nothing without one', () => {
    const { members, request } = parseChatCall(body, { ...facts, outputCap: undefined });
    expect(members.bytes().toString()).toBe(body.toString());
    expect(request).toEqual({ model: 'm', messages: [] });
  });
});
