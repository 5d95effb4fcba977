export type Connection = 'connecting' | 'live' | 'lost';

interface FollowedEvents {
  readonly path: string;
  /** What reads each event, by its type. */
  readonly events: Readonly<Record<string, (data: string) => void>>;
  readonly onConnection: (connection: Connection) => void;
  /** The page was hidden, or the connection lost: what happened meanwhile was not received. */
  readonly onReturn?: () => void;
  /** The server answered no stream: the session may have ended. The stream is tried again all the same. */
  readonly onRefused: () => void;
}

/** A refused stream, such as behind a proxy without a server, is tried again after this time. */
const RETRY_MS = 2_000;
const MOST_RETRY_MS = 15_000;

const isSeen = () => document.visibilityState === 'visible';

/** One stream that comes back by itself: a browser gives up after any answer that is no stream. */
function openStream({ path, events, onConnection, onReturn, onRefused }: FollowedEvents): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryMs = RETRY_MS;
  let wasLost = false;
  const lose = () => {
    wasLost = true;
    onConnection('lost');
  };
  const open = () => {
    source = new EventSource(path);
    source.onopen = () => {
      retryMs = RETRY_MS;
      onConnection('live');
      if (wasLost) onReturn?.();
      wasLost = false;
    };
    source.onerror = () => {
      lose();
      if (source.readyState !== EventSource.CLOSED) return;
      onRefused();
      timer = setTimeout(open, retryMs);
      retryMs = Math.min(MOST_RETRY_MS, retryMs * 2);
    };
    for (const [event, read] of Object.entries(events)) {
      source.addEventListener(event, ({ data }: MessageEvent<string>) => read(data));
    }
  };
  const close = () => {
    clearTimeout(timer);
    source.close();
  };
  // A network that is gone ends no connection for a while.
  const reopen = () => {
    close();
    open();
  };
  window.addEventListener('offline', lose);
  window.addEventListener('online', reopen);
  open();
  return () => {
    window.removeEventListener('offline', lose);
    window.removeEventListener('online', reopen);
    close();
  };
}

/** Reads a stream while the page is seen: a browser has few connections, and a person has many tabs. Returns its end. */
export function followEvents(followed: FollowedEvents): () => void {
  let close = isSeen() ? openStream(followed) : undefined;
  const change = () => {
    close?.();
    close = undefined;
    if (!isSeen()) return;
    close = openStream(followed);
    followed.onReturn?.();
  };
  document.addEventListener('visibilitychange', change);
  return () => {
    document.removeEventListener('visibilitychange', change);
    close?.();
  };
}
