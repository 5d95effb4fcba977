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
import { frameOf } from './message-frame.js';
import { messageOf } from './reply.js';
import { chatPromptOf, chatRequestOf } from './request.js';
import { CollectedMessageReader, MessageStreamReader } from './stream.js';

const chatCallOf = ({ request, ...about }: TranslatedMessagesCall): ChatCall =>
  chatCallOfRequest(chatRequestOf(request, about.traits), about);

/** The client expects errors of its own format: an upstream's words are kept, its envelope is not. */
function inOurEnvelope(error: GatewayError): GatewayError {
  const { passThrough: _, ...details } = error.details;
  return new GatewayError(error.code, error.message, details);
}

function guarded<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw isGatewayError(error) ? inOurEnvelope(error) : error;
  }
}

/** A reader whose errors, which an upstream may report under 200, are in our envelope too. */
const guardedReader = (reader: StreamReader): StreamReader => ({
  read: (bytes) => guarded(() => reader.read(bytes)),
  end: () => guarded(() => reader.end()),
  usage: () => reader.usage(),
  get isFinal() {
    return reader.isFinal;
  },
  get upstreamId() {
    return reader.upstreamId;
  },
});

/** The native messages format over any protocol of chat: the request as a chat request, its answer as a message. */
export const messagesOverChat = (chat: ChatProtocol): StreamingProtocol<TranslatedMessagesCall> => ({
  id: chat.id,
  buildRequest: (call, target) => chat.buildRequest(chatCallOf(call), target),
  streamsUpstream: (call) => chat.streamsUpstream(chatCallOf(call)),
  readReply: (body, call) => {
    const reply = guarded(() => chat.readReply(body, chatCallOf(call)));
    return { ...reply, body: messageOf(reply.body, reply.usage, frameOf(call)) };
  },
  openReader: (call) => {
    const reader = chat.openReader(chatCallOf(call));
    const frame = frameOf(call);
    return guardedReader(
      call.request.stream === true
        ? new MessageStreamReader(reader, frame)
        : new CollectedMessageReader(reader, (completion, usage) => messageOf(completion, usage, frame)),
    );
  },
  readFailure: (failure) => {
    const read = chat.readFailure(failure);
    return { ...read, error: inOurEnvelope(read.error) };
  },
});

/** The answer of count_tokens where no upstream counts: the neutral estimate. */
export const estimateTokenCount = (request: CountTokensRequest): UpstreamReply => ({
  body: Buffer.from(JSON.stringify({ input_tokens: estimateInputTokens(chatPromptOf(request)) })),
  usage: NO_USAGE,
  upstreamId: undefined,
});
