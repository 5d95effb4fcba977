/** An event of a socket of `/v1/responses`. */
export interface SocketEvent {
  readonly type: string;
  readonly sequence_number?: number;
  readonly status?: number;
  readonly error?: { readonly code: string; readonly param?: string };
  readonly response?: { readonly id: string; readonly status: string; readonly output: readonly OutputItem[] };
}

interface OutputItem {
  readonly type: string;
  readonly content?: readonly { readonly text?: string }[];
}

/** The last event of a turn. */
export const isFinalEvent = ({ type }: SocketEvent): boolean =>
  /^(response\.(completed|incomplete|failed)|error)$/.test(type);

/** A socket whose turns are awaited one by one. Throws if the handshake is refused. */
export async function openResponsesSocket(baseUrl: string, apiKey: string) {
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/v1/responses`, {
    headers: { authorization: `Bearer ${apiKey}` },
  } as never);
  const events: SocketEvent[] = [];
  let onEvent = (): void => undefined;
  socket.addEventListener('message', ({ data }) => {
    events.push(JSON.parse(String(data)) as SocketEvent);
    onEvent();
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('the handshake was refused')));
  });
  const next = async (isLast: (event: SocketEvent) => boolean): Promise<readonly SocketEvent[]> => {
    for (;;) {
      const at = events.findIndex(isLast);
      if (at !== -1) return events.splice(0, at + 1);
      await new Promise<void>((resolve) => {
        onEvent = resolve;
      });
    }
  };
  return {
    socket,
    send: (message: object) => socket.send(JSON.stringify(message)),
    next,
    async turn(message: object): Promise<readonly SocketEvent[]> {
      socket.send(JSON.stringify({ type: 'response.create', ...message }));
      return next(isFinalEvent);
    },
  };
}
