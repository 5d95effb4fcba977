import { hasNativeGenerate, hasNativeMessages, hasNativeResponses, type ModelWithCapability } from '@gateway/catalogue';
import {
  type AbortContract,
  type ChatCompletionRequest,
  type ChatProtocolId,
  type GenerateContentRequest,
  measureContents,
  type NativeResponsesRequest,
  searchesTheWeb,
} from '@gateway/contracts';
import { usesServerTools as usesGoogleTools } from '../generate-content/server-tools.js';
import { type Media, mediaOfChat, mediaOfMessages, mediaOfResponses } from './media-of.js';

type ChatModel = ModelWithCapability<'chat'>;
type Body = Readonly<Record<string, unknown>>;

/** True if the upstream reports the prompt's tokens with the first event of a stream. False: only with the last. */
const COUNTS_PROMPT_FIRST: Readonly<Record<ChatProtocolId, boolean>> = {
  'anthropic-messages': true,
  'dashscope-chat': false,
  'gemini-generate': true,
  'openai-chat': false,
  'openai-responses': false,
};

/** What decides the contract of one text stream. */
export interface StreamFeatures {
  readonly reasonsHidden: boolean;
  readonly media: Media;
  readonly usesServerTools: boolean;
}

/** `stops` only if every billed unit can be counted from the events that have passed. */
export const contractOfStream = ({ chat }: ChatModel, features: StreamFeatures): AbortContract => {
  const { reasonsHidden, media, usesServerTools } = features;
  const isCounted = media === 'none' || (media === 'inline' && COUNTS_PROMPT_FIRST[chat.protocol]);
  return isCounted && !reasonsHidden && !usesServerTools ? 'stops' : 'completes';
};

/** `effort`: as the client set it; undefined for the model's default. */
export function reasonsHidden({ chat }: ChatModel, effort: string | undefined): boolean {
  const { hiddenReasoning, efforts } = chat.traits;
  if (hiddenReasoning === 'never') return false;
  // `minimal` still reasons: some models have no switch.
  if (effort === 'none' && efforts?.none !== undefined && efforts.none !== 'minimal') return false;
  return hiddenReasoning === 'by_default' || (effort !== undefined && effort !== 'none');
}

/** A predicted output is billed where the response differs from it, and the stream does not show that part. */
const predicts = (request: ChatCompletionRequest): boolean => request.prediction != null;

export function contractOfChat(request: ChatCompletionRequest, model: ChatModel): AbortContract {
  if (request.stream !== true) return 'completes';
  return contractOfStream(model, {
    reasonsHidden: reasonsHidden(model, request.reasoning_effort ?? undefined) || predicts(request),
    media: mediaOfChat(request),
    usesServerTools: false,
  });
}

export function contractOfMessages(body: Body, model: ChatModel): AbortContract {
  if (body.stream !== true) return 'completes';
  return contractOfStream(model, {
    reasonsHidden: reasonsHidden(model, effortOfMessages(body)),
    media: mediaOfMessages(body),
    usesServerTools: hasNativeMessages(model) && usesServerTools(body),
  });
}

/** Without a budget of zero the model thinks, and its thoughts are billed although the stream shows summaries at most. */
export function contractOfGenerate(
  request: GenerateContentRequest,
  model: ChatModel,
  isStream: boolean,
): AbortContract {
  if (!isStream) return 'completes';
  const { media } = measureContents(request);
  const isReferenced = media.some(({ data }) => data === undefined);
  const { thinkingBudget, thinkingLevel } = request.generationConfig?.thinkingConfig ?? {};
  return contractOfStream(model, {
    reasonsHidden: reasonsHidden(model, thinkingBudget === undefined ? thinkingLevel : effortOfBudget(thinkingBudget)),
    media: isReferenced ? 'referenced' : media.length > 0 ? 'inline' : 'none',
    usesServerTools: hasNativeGenerate(model) && usesGoogleTools(request),
  });
}

const effortOfBudget = (tokens: number): string => (tokens === 0 ? 'none' : 'high');

export function contractOfResponses(request: NativeResponsesRequest, model: ChatModel): AbortContract {
  if (request.stream !== true) return 'completes';
  return contractOfStream(model, {
    reasonsHidden: reasonsHidden(model, request.reasoning?.effort ?? undefined),
    media: mediaOfResponses(request),
    usesServerTools: hasNativeResponses(model) && searchesTheWeb(request.tools),
  });
}

/** Only whether the request asks for reasoning: the upstream's protocol chooses the effort itself. */
function effortOfMessages({ thinking, output_config: config }: Body): string | undefined {
  const type = isFields(thinking) ? thinking.type : undefined;
  if (type === 'disabled') return 'none';
  if (type !== undefined) return String(type);
  return isFields(config) && typeof config.effort === 'string' ? config.effort : undefined;
}

/** Tools that the client runs itself. The vendor runs every other type, and bills what it does. */
const CLIENT_TOOL = /^(?:custom|bash_|text_editor_|computer_|memory_)/;

const usesServerTools = ({ tools, mcp_servers: servers, container }: Body): boolean =>
  servers != null ||
  container != null ||
  (Array.isArray(tools) &&
    tools.some((tool) => isFields(tool) && tool.type != null && !CLIENT_TOOL.test(String(tool.type))));

const isFields = (value: unknown): value is Body => typeof value === 'object' && value !== null;
