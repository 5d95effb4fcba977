import { type CountTokensRequest, GatewayError, isGatewayError, NO_USAGE } from '@gateway/contracts';
import { estimateInputTokens } from '../metering/estimate-input-tokens.js';
import { chatCallOfRequest } from '../openai-compatible-chat/chat-call.js';
import type {
  ChatCall,
  ChatProtocol,
  StreamingProtocol,
  StreamReader,
  TranslatedMessagesCall,
  UpstreamReply,
} from '../protocol.js';
import { messagesChanges } from './changes.js';
import { frameOf } from './message-frame.js';
import { messageOf } from './reply.js';
import { chatPromptOf, chatRequestOf } from './request.js';
import { CollectedMessageReader, MessageStreamReader } from './stream.js';

const chatCallOf = ({ request, ...facts }: TranslatedMessagesCall): ChatCall =>
  chatCallOfRequest(chatRequestOf(request, facts.traits), facts);

/** Drops the upstream's error envelope, which the client's format does not have. The message stays. */
function withoutPassThrough(error: GatewayError): GatewayError {
  const { passThrough, ...details } = error.details;
  if (passThrough === undefined) return error;
  return new GatewayError(error.code, error.message, details);
}

function convertingErrors<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw isGatewayError(error) ? withoutPassThrough(error) : error;
  }
}

/** Also converts the errors that an upstream reports inside a stream. */
const convertingReader = (reader: StreamReader): StreamReader => ({
  read: (bytes) => convertingErrors(() => reader.read(bytes)),
  end: () => convertingErrors(() => reader.end()),
  usage: () => reader.usage(),
  get isFinal() {
    return reader.isFinal;
  },
  get isBilledFailure() {
    return reader.isBilledFailure === true;
  },
  get upstreamId() {
    return reader.upstreamId;
  },
});

/** Translates the native messages format to any chat protocol: requests to chat requests, responses to messages. */
export const messagesOverChat = (chat: ChatProtocol): StreamingProtocol<TranslatedMessagesCall> => ({
  id: chat.id,
  buildRequest: (call, target) => {
    const request = chat.buildRequest(chatCallOf(call), target);
    return { ...request, changes: messagesChanges(call, request.changes) };
  },
  streamsUpstream: (call) => chat.streamsUpstream(chatCallOf(call)),
  readReply: (body, call) => {
    const reply = convertingErrors(() => chat.readReply(body, chatCallOf(call)));
    return { ...reply, body: messageOf(reply.body, reply.usage, frameOf(call)) };
  },
  openReader: (call) => {
    const reader = chat.openReader(chatCallOf(call));
    const frame = frameOf(call);
    return convertingReader(
      call.request.stream === true
        ? new MessageStreamReader(reader, frame)
        : new CollectedMessageReader(reader, (completion, usage) => messageOf(completion, usage, frame)),
    );
  },
  readFailure: (failure) => {
    const read = chat.readFailure(failure);
    return { ...read, error: withoutPassThrough(read.error) };
  },
});

/** Response of `count_tokens` for upstreams without a counter: an estimate. */
export const estimateTokenCount = (request: CountTokensRequest): UpstreamReply => ({
  body: Buffer.from(JSON.stringify({ input_tokens: estimateInputTokens(chatPromptOf(request)) })),
  usage: NO_USAGE,
  upstreamId: undefined,
});
