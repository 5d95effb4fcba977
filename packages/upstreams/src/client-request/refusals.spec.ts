import type { ChatProtocolId } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { callOf, targetOf } from '../conformance/calls.js';

const hi = { role: 'user', content: 'Hi' };
const userWith = (part: object) => ({ role: 'user', content: [{ type: 'text', text: 'x' }, part] });
const video = { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } };
const audio = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } };
const image = (url: string) => ({ type: 'image_url', image_url: { url } });
const calls = (args: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'w', arguments: args } }],
});
const result = { role: 'tool', tool_call_id: 'call_1', content: 'x' };
const tool = (name: string) => ({ type: 'function', function: { name } });
const ARGUMENTS = 'messages[1].tool_calls[0].function.arguments';

/** protocol, body, code, param */
const REFUSED: readonly (readonly [ChatProtocolId, object, string, string])[] = [
  [
    'anthropic-messages',
    { model: 'cl-sonnet-4-6', messages: [hi], tool_choice: 'required' },
    'invalid_request',
    'tool_choice',
  ],
  [
    'gemini-generate',
    { model: 'gm-2.5-flash', messages: [hi], tools: [], tool_choice: 'required' },
    'invalid_request',
    'tool_choice',
  ],
  [
    'gemini-generate',
    { model: 'gm-2.5-flash', messages: [hi], tools: [tool('f')], tool_choice: tool('g') },
    'invalid_request',
    'tool_choice',
  ],
  [
    'openai-responses',
    { model: 'gp-5.4-pro', messages: [hi, userWith(audio)] },
    'unsupported_value',
    'messages[1].content[1]',
  ],
  [
    'openai-responses',
    { model: 'gp-5.4-pro', messages: [userWith(video)] },
    'unsupported_value',
    'messages[0].content[1]',
  ],
  [
    'openai-responses',
    { model: 'gp-5.4-pro', messages: [hi], reasoning_effort: 'max' },
    'unsupported_value',
    'reasoning_effort',
  ],
  [
    'openai-chat',
    { model: 'gp-4.1', messages: [hi], reasoning_effort: 'low' },
    'unsupported_parameter',
    'reasoning_effort',
  ],
  [
    'anthropic-messages',
    { model: 'cl-sonnet-4-6', messages: [userWith(audio)] },
    'unsupported_value',
    'messages[0].content[1]',
  ],
  ['anthropic-messages', { model: 'cl-sonnet-4-6', messages: [hi, calls('{}')] }, 'invalid_request', 'messages[1]'],
  [
    'anthropic-messages',
    { model: 'cl-sonnet-4-6', messages: [{ role: 'system', content: ' ' }] },
    'invalid_request',
    'messages',
  ],
  [
    'anthropic-messages',
    { model: 'cl-sonnet-4-6', messages: [{ role: 'user', content: ' ' }] },
    'invalid_request',
    'messages',
  ],
  [
    'anthropic-messages',
    { model: 'cl-sonnet-4-6', messages: [hi, calls('{"a"'), result] },
    'invalid_request',
    ARGUMENTS,
  ],
  [
    'anthropic-messages',
    { model: 'cl-sonnet-4-6', messages: [userWith(image('data:image/tiff;base64,AA=='))] },
    'unsupported_value',
    'messages[0].content[1]',
  ],
  [
    'anthropic-messages',
    { model: 'cl-sonnet-4-6', messages: [userWith(image('file:///etc/passwd'))] },
    'invalid_request',
    'messages[0].content[1]',
  ],
  [
    'anthropic-messages',
    { model: 'cl-opus-4-7', messages: [hi], reasoning_effort: 'minimal' },
    'unsupported_value',
    'reasoning_effort',
  ],
  [
    'gemini-generate',
    { model: 'gm-2.5-pro', messages: [hi], reasoning_effort: 'none' },
    'unsupported_value',
    'reasoning_effort',
  ],
  ['gemini-generate', { model: 'gm-2.5-pro', messages: [hi, result] }, 'invalid_request', 'messages[1].tool_call_id'],
  ['gemini-generate', { model: 'gm-2.5-pro', messages: [hi, calls('[]'), result] }, 'invalid_request', ARGUMENTS],
  [
    'gemini-generate',
    { model: 'gm-2.5-pro', messages: [{ role: 'system', content: ' ' }] },
    'invalid_request',
    'messages',
  ],
  [
    'gemini-generate',
    { model: 'gm-2.5-pro', messages: [userWith(image('cat.png'))] },
    'invalid_request',
    'messages[0].content[1]',
  ],
  [
    'dashscope-chat',
    { model: 'qn3.8-omni-flash', messages: [hi], tools: [], tool_choice: 'required' },
    'invalid_request',
    'tool_choice',
  ],
  [
    'dashscope-chat',
    { model: 'qn3.8-omni-flash', messages: [hi], reasoning_effort: 'none' },
    'unsupported_value',
    'reasoning_effort',
  ],
];

describe('a request that a protocol cannot express', () => {
  it.each(REFUSED)('in %s: rejects %j with %s and the param %s', (id, body, code, param) => {
    const call = callOf(body);
    expect(() => CHAT_ADAPTERS[id].buildRequest(call, targetOf(call.request.model))).toThrow(
      expect.objectContaining({ code, details: { param } }),
    );
  });
});
