import type { ChatCompletionRequest } from '@gateway/contracts';
import { JsonMembers } from '../json/json-members.js';
import type { ChatCall } from '../protocol.js';

type CallFacts = Omit<ChatCall, 'request' | 'members'>;
type Cap = Pick<ChatCompletionRequest, 'max_completion_tokens'>;

/** What is not always read is made by a getter of a class: one of an object literal would outlive its request in V8. */
abstract class CallOfFacts {
  readonly publicModel: string;
  readonly traits: ChatCall['traits'];
  readonly requestId: string;
  readonly createdSeconds: number;

  constructor({ publicModel, traits, requestId, createdSeconds }: CallFacts) {
    this.publicModel = publicModel;
    this.traits = traits;
    this.requestId = requestId;
    this.createdSeconds = createdSeconds;
  }
}

class CallOfBytes extends CallOfFacts implements ChatCall {
  readonly members: JsonMembers<ChatCompletionRequest>;
  readonly #body: Buffer;
  readonly #cap: Cap | undefined;
  #request: ChatCompletionRequest | undefined;

  constructor(facts: CallFacts, body: Buffer, cap: Cap | undefined) {
    super(facts);
    this.#body = body;
    this.#cap = cap;
    const members = JsonMembers.of<ChatCompletionRequest>(body);
    this.members = cap === undefined ? members : members.with(cap);
  }

  get request(): ChatCompletionRequest {
    this.#request ??= { ...(JSON.parse(this.#body.toString('utf8')) as ChatCompletionRequest), ...this.#cap };
    return this.#request;
  }
}

class CallOfRequest extends CallOfFacts implements ChatCall {
  constructor(
    readonly request: ChatCompletionRequest,
    facts: CallFacts,
  ) {
    super(facts);
  }

  get members(): JsonMembers<ChatCompletionRequest> {
    return JsonMembers.from(this.request);
  }
}

/**
 * Creates a call from the client's validated bytes. Parses them only if a protocol reads `request`. `outputCap`: the cap
 * in tokens of a client that sent none.
 */
export const parseChatCall = (
  body: Buffer,
  { outputCap, ...facts }: CallFacts & { outputCap?: number | undefined },
): ChatCall => new CallOfBytes(facts, body, outputCap === undefined ? undefined : { max_completion_tokens: outputCap });

/** Creates a call from a request that was translated from another format. */
export const chatCallOfRequest = (request: ChatCompletionRequest, facts: CallFacts): ChatCall =>
  new CallOfRequest(request, facts);
