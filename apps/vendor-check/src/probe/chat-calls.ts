import { type CatalogueModel, withCapability } from '@gateway/catalogue';
import { DIALECTS } from '@gateway/dialects';
import { adapterOf, parseChatCall } from '@gateway/upstreams';
import { PROMPT, type ProbeCall, REQUEST_ID } from './probe-call.js';

/** Room for a model that thinks before its word. */
const OUTPUT_CAP = 128;
/** More than any vendor counts for the prompt and its frame. */
const INPUT_AT_MOST = 100;

/** A short answer: in one piece, or as a stream. */
export function chatCall(catalogueModel: CatalogueModel, streams: boolean, createdSeconds: number): ProbeCall {
  const model = withCapability(catalogueModel, 'chat');
  const protocol = adapterOf(DIALECTS['openai-chat'], { protocol: model.chat.protocol });
  const body = {
    model: model.id,
    messages: [{ role: 'user', content: PROMPT }],
    max_completion_tokens: OUTPUT_CAP,
    ...(streams && { stream: true }),
  };
  const call = parseChatCall(Buffer.from(JSON.stringify(body)), {
    publicModel: model.id,
    traits: model.chat.traits,
    requestId: REQUEST_ID,
    createdSeconds,
  });
  return {
    name: streams ? 'chat, streamed' : 'chat',
    model,
    atMost: { input_token: INPUT_AT_MOST, output_token: OUTPUT_CAP },
    build: (target) => protocol.buildRequest(call, target),
    read(bytes) {
      if (!streams && !protocol.streamsUpstream(call)) return protocol.readReply(bytes, call).usage;
      const reader = protocol.openReader(call);
      reader.read(bytes);
      reader.end();
      return reader.usage();
    },
    readFailure: (failure) => protocol.readFailure(failure),
  };
}
