type Message = Readonly<Record<string, unknown>>;

/** Messages of an unvalidated body: one, or a batch from an older client. */
const messagesIn = (body: unknown): readonly Message[] =>
  (Array.isArray(body) ? body : [body]).filter(
    (message): message is Message => typeof message === 'object' && message !== null,
  );

const has = (method: string) => (body: unknown) => messagesIn(body).some((message) => message.method === method);

export const isInitialize = has('initialize');
export const isToolCall = has('tools/call');

/** The entries of a batch, or 1. */
export const countMessages = (body: unknown): number => (Array.isArray(body) ? body.length : 1);

/** Ids of the requests that this body cancels. */
export const cancelledRequestIds = (body: unknown): readonly (string | number)[] =>
  messagesIn(body)
    .filter(({ method }) => method === 'notifications/cancelled')
    .map(({ params }) => (params as Message | undefined)?.requestId)
    .filter((id): id is string | number => typeof id === 'string' || typeof id === 'number');
