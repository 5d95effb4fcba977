import { type Changes, type ChatProtocolId, NO_CHANGES } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { IMAGE_PROTOCOLS } from '../registry.js';
import { CHAT_ADAPTERS, MESSAGES_ADAPTERS } from './adapters.js';
import { callOf, targetOf } from './calls.js';
import { imageCallOf, imageTargetOf } from './image-calls.js';

const messages = [{ role: 'user', content: 'Hi' }];
const prompt = { input: { messages: [{ role: 'user', content: [{ text: 'A boat' }] }] } };

type Expected = readonly [filled: Changes['filled'], dropped: Changes['dropped']];

const reported = (changes: Changes = NO_CHANGES): Expected => [changes.filled, changes.dropped];

/** A schema that is strict in the messages format. `required` decides whether OpenAI takes it as strict. */
const strictly = (required: readonly string[], more: object = {}) => {
  const properties = { city: { type: 'string' }, unit: { type: 'string', ...more } };
  const schema = { type: 'object', properties, required, additionalProperties: false };
  const format = { type: 'json_schema', schema };
  return { tools: [{ name: 'f', strict: true, input_schema: schema }], output_config: { format } };
};
const LOOSENED = { 'tools[0].strict': 'false', 'output_config.format.strict': 'false' };

const INTERACTION_CAP = 'generation_config.max_output_tokens';

describe('an adapter reports the fields that it sends otherwise', () => {
  it.each<readonly [ChatProtocolId, string, object, ...Expected]>([
    [
      'openai-chat',
      'gp-5.4-mini',
      { temperature: 0.2, top_p: 0.5, presence_penalty: 1 },
      {},
      ['temperature', 'top_p', 'presence_penalty'],
    ],
    ['openai-chat', 'gp-5.4-mini', { temperature: 1, presence_penalty: 0, reasoning_effort: 'low' }, {}, []],
    ['openai-chat', 'gp-5.4-mini', { stop: ['x'] }, {}, ['stop']],
    ['openai-chat', 'gp-5.4-mini', { stop: [] }, {}, []],
    ['openai-responses', 'gp-5.4-pro', {}, {}, []],
    ['openai-responses', 'gp-5.4-pro', { reasoning_effort: 'low' }, { reasoning_effort: 'medium' }, []],
    ['openai-responses', 'gp-5.4-pro', { top_p: 0.5 }, {}, ['top_p']],
    ['openai-responses', 'gp-5.4-pro', { reasoning_effort: 'high', seed: 4 }, {}, ['seed']],
    ['anthropic-messages', 'cl-sonnet-4-6', { temperature: 1.5 }, { temperature: '1' }, []],
    ['anthropic-messages', 'cl-sonnet-4-6', { temperature: 0.5, top_p: 0.9 }, {}, ['top_p']],
    ['anthropic-messages', 'cl-opus-4-7', { temperature: 0.5, top_p: 0.9 }, {}, ['temperature', 'top_p']],
    ['gemini-generate', 'gm-2.5-flash', { temperature: 0.5, presence_penalty: 1 }, {}, []],
    ['dashscope-chat', 'qn3.8-omni-flash', { temperature: 2, top_p: 0 }, { temperature: '1.99', top_p: '0.01' }, []],
    ['dashscope-chat', 'qn3.8-omni-flash', { enable_thinking: false }, { enable_thinking: 'true' }, []],
    ['dashscope-chat', 'qn3.8-omni-flash', { temperature: 0.5 }, {}, []],
  ])('%s for %s with %j', (id, model, fields, filled, dropped) => {
    const call = callOf({ model, messages, ...fields });
    expect(reported(CHAT_ADAPTERS[id].buildRequest(call, targetOf(model)).changes)).toEqual([filled, dropped]);
  });

  it.each<readonly [string, object, ...Expected]>([
    ['qn-image-2.0', {}, { 'parameters.size': '1024*1024' }, []],
    ['qn-image-2.0', { size: '1472*1140' }, { 'parameters.size': '1472*1104' }, []],
    ['qn-image-2.0', { size: '1328*1328' }, {}, []],
    ['qn-image-edit', { size: '1328*1328' }, {}, ['parameters.size']],
  ])('dashscope-image for %s with %j', (model, parameters, filled, dropped) => {
    const call = imageCallOf('dashscope-image', { model, ...prompt, parameters });
    const { changes } = IMAGE_PROTOCOLS['dashscope-image'].buildRequest(call, imageTargetOf(model));
    expect(reported(changes)).toEqual([filled, dropped]);
  });

  it.each<readonly [object, ...Expected]>([
    [{}, { 'response_format.image_size': '1K', 'response_format.aspect_ratio': '1:1', [INTERACTION_CAP]: '5216' }, []],
    [
      { response_format: { type: 'image', image_size: '512px' } },
      { 'response_format.image_size': '512', [INTERACTION_CAP]: '4843' },
      [],
    ],
    [
      { response_format: { type: 'image', image_size: '2K' }, generation_config: { thinking_level: 'high' } },
      { [INTERACTION_CAP]: '13968' },
      [],
    ],
    [{ response_format: { type: 'image', image_size: '2K' }, generation_config: { max_output_tokens: 900 } }, {}, []],
  ])('gemini-interactions with %j', (fields, filled, dropped) => {
    const model = 'gm-3.1-flash-image-preview';
    const call = imageCallOf('gemini-interactions', { model, input: 'A boat', ...fields });
    const { changes } = IMAGE_PROTOCOLS['gemini-interactions'].buildRequest(call, imageTargetOf(model));
    expect(reported(changes)).toEqual([filled, dropped]);
  });

  it.each<readonly [string, object, ...Expected]>([
    ['gp-5.4-pro', { output_config: { effort: 'max' } }, { 'output_config.effort': 'high' }, []],
    ['gm-2.5-flash', { tools: [{ type: 'web_search_20260318', name: 'web_search' }] }, {}, ['tools[0]']],
    ['gm-2.5-flash', { temperature: 0.5 }, {}, []],
    ['gp-5.4-pro', strictly(['city', 'unit']), {}, []],
    ['gp-5.4-pro', strictly(['city']), LOOSENED, []],
    ['gp-5.4-pro', strictly(['city', 'unit'], { default: 'C' }), LOOSENED, []],
    ['gp-5.4-pro', strictly(['city', 'unit'], { type: 'object' }), LOOSENED, []],
    [
      'gp-5.4-pro',
      strictly(['city', 'unit'], { anyOf: [{ items: { type: 'object', properties: {} } }] }),
      LOOSENED,
      [],
    ],
    ['gm-2.5-flash', strictly(['city']), {}, []],
  ])('messages over chat for %s with %j', (model, fields, filled, dropped) => {
    const { request: _, members: __, ...facts } = callOf({ model, messages });
    const request = { model, max_tokens: 100, messages, ...fields };
    const adapter = MESSAGES_ADAPTERS[model.startsWith('gm') ? 'gemini-generate' : 'openai-responses'];
    expect(reported(adapter.buildRequest({ ...facts, request }, targetOf(model)).changes)).toEqual([filled, dropped]);
  });
});
