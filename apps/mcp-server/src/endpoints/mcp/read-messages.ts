type Message = Readonly<Record<string, unknown>>;

/** Of a request's body, one message or, from clients of before, several; nothing of it is known to be right. */
const messagesIn = (body: unknown): readonly Message[] =>
  (Array.isArray(body) ? body : [body]).filter(
    (message): message is Message => typeof message === 'object' && message !== null,
  );

const has = (method: string) => (body: unknown) => messagesIn(body).some((message) => message.method === method);

export const isInitialize = has('initialize');
export const isToolCall = has('tools/call');

/** The ids of the requests that the client does not want any more. */
export const cancelledIn = (body: unknown): readonly (string | number)[] =>
  messagesIn(body)
    .filter(({ method }) => method === 'notifications/cancelled')
    .map(({ params }) => (params as Message | undefined)?.requestId)
    .filter((id): id is string | number => typeof id === 'string' || typeof id === 'number');
