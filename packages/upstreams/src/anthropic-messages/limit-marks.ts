import type { Changes, NeutralMessage, NeutralRequest } from '@gateway/contracts';

/** The vendor refuses more marks in one request. */
const MAX_MARKS = 4;

/** The report of marks that are not sent. */
export const LIMITED: Changes = { filled: {}, dropped: ['messages[].cache_control'] };

/**
 * Sends the last marks of a request that has too many. Those end its longest prefixes, which are cached with all before them.
 * Clients of other gateways repeat the mark of one message in each result of its parallel calls.
 */
export function limitMarks(request: NeutralRequest): NeutralRequest {
  const own = request.cache === undefined ? 0 : 1;
  let excess = holdersIn(request).filter(isMarked).length + own - MAX_MARKS;
  if (excess <= 0) return request;
  const limited = <Holder extends object>(holder: Holder): Holder => {
    if (!isMarked(holder) || excess <= 0) return holder;
    excess -= 1;
    return { ...holder, cache: undefined };
  };
  const inMessage = (message: NeutralMessage): NeutralMessage =>
    ({ ...message, content: message.content.map((part) => limited(withContent(part, limited))) }) as NeutralMessage;
  const tools = request.tools?.map((tool) => limited(tool));
  // The order of the vendor's prompt: tools, instructions, conversation.
  const system = request.messages.map((message) => (message.role === 'system' ? inMessage(message) : message));
  return {
    ...request,
    tools,
    messages: system.map((message) => (message.role === 'system' ? message : inMessage(message))),
  };
}

/** True if the client says itself what is cached. */
export const hasMarks = (request: NeutralRequest): boolean =>
  request.cache !== undefined || holdersIn(request).some(isMarked);

type Part = NeutralMessage['content'][number];

const isMarked = (holder: object): boolean => 'cache' in holder && holder.cache !== undefined;

const withContent = (part: Part, limited: <Holder extends object>(holder: Holder) => Holder): Part =>
  part.type === 'tool-result' ? { ...part, content: part.content.map((inner) => limited(inner)) } : part;

/** Tools, parts, and parts of results. */
const holdersIn = ({ tools = [], messages }: NeutralRequest): readonly object[] => [
  ...tools,
  ...messages.flatMap(({ content }) =>
    content.flatMap((part: Part) => [part, ...(part.type === 'tool-result' ? part.content : [])]),
  ),
];
