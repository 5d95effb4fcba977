import {
  type ChatCompletionRequest,
  type ChatModelTraits,
  type ChatProtocolId,
  chatCompletionRequest,
} from '@gateway/contracts';
import { parseChatCall } from '../openai-compatible-chat/chat-call.js';
import type { ChatCall, Target } from '../protocol.js';

interface KnownModel {
  readonly upstreamModel: string;
  readonly traits: ChatModelTraits;
}

const traits = (more: Partial<ChatModelTraits>): ChatModelTraits => ({
  maxOutputTokens: 128_000,
  temperature: 'fixed',
  efforts: null,
  thinking: 'none',
  hiddenReasoning: 'on_request',
  inputs: ['image', 'file'],
  media: { image: { most: 1 } },
  ...more,
});

const BUDGETS = { minimal: '1024', low: '1024', medium: '8192', high: '24576' } as const;

/** Models of the fixtures, with their traits. */
const MODELS: Readonly<Record<string, KnownModel>> = {
  'gp-5.4-mini': {
    upstreamModel: 'gpt-5.4',
    traits: traits({ efforts: { none: 'none', low: 'low', medium: 'medium', high: 'high' } }),
  },
  'gp-4.1': { upstreamModel: 'gpt-4.1', traits: traits({ temperature: { max: 2 } }) },
  'gp-5.4-pro': {
    upstreamModel: 'gpt-5.4-pro',
    traits: traits({ efforts: { low: 'medium', medium: 'medium', high: 'high' }, hiddenReasoning: 'by_default' }),
  },
  'cl-opus-4-7': {
    upstreamModel: 'claude-opus-4-7',
    traits: traits({ efforts: { low: 'low', medium: 'medium', high: 'high', max: 'max' }, thinking: 'adaptive' }),
  },
  'cl-opus-5-5': {
    upstreamModel: 'claude-opus-5-5',
    traits: traits({ efforts: { low: 'low', high: 'high' }, thinking: 'adaptive', refusesForcedTools: true }),
  },
  'cl-sonnet-4-6': {
    upstreamModel: 'claude-sonnet-4-6',
    traits: traits({ temperature: { max: 1 }, efforts: { low: 'low', high: 'high' }, thinking: 'adaptive' }),
  },
  'cl-sonnet-4-0': {
    upstreamModel: 'claude-sonnet-4-0',
    traits: traits({ temperature: { max: 1 }, efforts: { low: '1024', medium: '2048' }, thinking: 'budget' }),
  },
  'gm-2.5-pro': {
    upstreamModel: 'gemini-2.5-pro',
    traits: traits({
      temperature: { max: 2 },
      efforts: BUDGETS,
      thinking: 'budget',
      inputs: ['image', 'audio', 'video', 'file'],
    }),
  },
  'gm-3.8-flash': {
    upstreamModel: 'gemini-3.8-flash',
    traits: traits({
      temperature: 'fixed',
      efforts: { minimal: 'low', low: 'low', medium: 'medium', high: 'high' },
      thinking: 'always',
      needsUserLast: true,
    }),
  },
  'gm-2.5-flash': {
    upstreamModel: 'gemini-2.5-flash',
    traits: traits({
      temperature: { max: 2 },
      efforts: { none: '0', ...BUDGETS },
      thinking: 'budget',
      inputs: ['image', 'audio', 'video', 'file'],
    }),
  },
  'qn3.8-omni-flash': {
    upstreamModel: 'qwen3.6-plus',
    traits: traits({
      temperature: { max: 2 },
      efforts: { low: 'low', high: 'high' },
      thinking: 'always',
      inputs: ['image', 'audio', 'video'],
    }),
  },
  'qn-plus': {
    upstreamModel: 'qwen-plus',
    traits: traits({ temperature: { max: 2 }, efforts: { none: '0', low: '1024' }, thinking: 'budget', inputs: [] }),
  },
};

/** Model for garbage and broken streams of each protocol. */
export const ANY_MODEL: Readonly<Record<ChatProtocolId, string>> = {
  'openai-chat': 'gp-5.4-mini',
  'openai-responses': 'gp-5.4-pro',
  'anthropic-messages': 'cl-sonnet-4-6',
  'gemini-generate': 'gm-2.5-pro',
  'dashscope-chat': 'qn3.8-omni-flash',
};

function knownModel(model: string): KnownModel {
  const known = MODELS[model];
  if (known === undefined) throw new Error(`no fixture model ${model}`);
  return known;
}

/** Builds a call as the edge does. */
export function callOf(body: object): ChatCall {
  const request: ChatCompletionRequest = chatCompletionRequest.parse(body);
  return parseChatCall(Buffer.from(JSON.stringify(request)), {
    publicModel: request.model,
    traits: knownModel(request.model).traits,
    requestId: 'req_abcdefghijklmnopqrstuvwxyz',
    createdSeconds: 1_795_168_800,
  });
}

export const targetOf = (model: string): Target => ({
  baseUrl: 'https://upstream.example',
  credential: 'secret-credential',
  upstreamModel: knownModel(model).upstreamModel,
});

/** Builds the smallest valid call. */
export const smallCall = (model: string, more: object = {}): ChatCall =>
  callOf({ model, messages: [{ role: 'user', content: 'Say hi' }], ...more });
