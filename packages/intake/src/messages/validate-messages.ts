import { hasNativeMessages, type ModelWithCapability } from '@gateway/catalogue';
import {
  type ChatModelTraits,
  type CountTokensRequest,
  countTokensRequest,
  GatewayError,
  messagesRequest,
  nativeCountRequest,
  nativeMessagesRequest,
} from '@gateway/contracts';
import { checked } from '../checked.js';

type Body = Readonly<Record<string, unknown>>;
type InputKind = ChatModelTraits['inputs'][number];

/** What admission needs of a valid request. */
export interface ValidMessages {
  readonly isStream: boolean;
  readonly maxTokens: number;
}

/**
 * A thread is a conversation that the vendor stores, under a credential that customers share. The next request cannot be
 * priced, since its body lacks the earlier messages. The vendor's client library handles this error: it sends the full
 * conversation instead.
 */
function rejectThread(body: Body): void {
  if (body.thread === undefined || body.thread === null) return;
  throw new GatewayError(
    'thread_unsupported',
    "'thread': this gateway stores no conversations. Send the full conversation and omit the field.",
    { param: 'thread' },
  );
}

/** Throws a 400 that names the field. If the upstream speaks the format itself, it validates the remaining fields. */
export function validateMessages(body: Body, model: ModelWithCapability<'chat'>): ValidMessages {
  rejectThread(body);
  if (hasNativeMessages(model)) return readLimits(checked(nativeMessagesRequest, body), model);
  const request = checked(messagesRequest, body);
  const valid = readLimits(request, model);
  checkInputs(request, model);
  return valid;
}

interface Limits {
  readonly stream?: boolean | null | undefined;
  readonly max_tokens: number;
}

function readLimits({ stream, max_tokens: maxTokens }: Limits, model: ModelWithCapability<'chat'>): ValidMessages {
  checkMaxTokens(maxTokens, model);
  return { isStream: stream === true, maxTokens };
}

export function validateCountTokens(body: Body, model: ModelWithCapability<'chat'>): void {
  rejectThread(body);
  if (hasNativeMessages(model)) checked(nativeCountRequest, body);
  else checkInputs(checked(countTokensRequest, body), model);
}

function checkMaxTokens(maxTokens: number, model: ModelWithCapability<'chat'>): void {
  const { maxOutputTokens: limit, minOutputTokens = 0 } = model.chat.traits;
  if (maxTokens < minOutputTokens) {
    throw new GatewayError(
      'invalid_request',
      `max_tokens: ${maxTokens} < ${minOutputTokens}, which is the minimum number of output tokens for ${model.id}`,
      { param: 'max_tokens' },
    );
  }
  if (maxTokens <= limit) return;
  throw new GatewayError(
    'invalid_request',
    `max_tokens: ${maxTokens} > ${limit}, which is the maximum allowed number of output tokens for ${model.id}`,
    { param: 'max_tokens' },
  );
}

const KINDS: Readonly<Record<string, InputKind>> = { image: 'image', document: 'file' };

/** A plain-text document counts as text. */
function kindOf(block: { readonly type: string; readonly source?: unknown }): InputKind | undefined {
  const source = block.source as { readonly type?: unknown } | undefined;
  return block.type === 'document' && source?.type !== 'base64' ? undefined : KINDS[block.type];
}

function checkInputs(request: CountTokensRequest, model: ModelWithCapability<'chat'>): void {
  request.messages.forEach(({ content }, index) => {
    if (typeof content === 'string') return;
    content.forEach((block, blockIndex) => {
      const nested = block.type === 'tool_result' && Array.isArray(block.content) ? block.content : [];
      for (const { type, kind } of [block, ...nested].map((part) => ({ type: part.type, kind: kindOf(part) }))) {
        if (kind === undefined || model.chat.traits.inputs.includes(kind)) continue;
        const param = `messages[${index}].content[${blockIndex}]`;
        throw new GatewayError(
          'invalid_request',
          `'${param}': ${model.id} does not support '${type}' (${kind} input).`,
          {
            param,
          },
        );
      }
    });
  });
}
