import type { ServerResponse } from 'node:http';

/** A comment, which clients of server-sent events skip. */
export const KEEP_ALIVE = ': keep-alive\n\n';

/** Keeps a silent stream from being taken for dead, until its timer is cleared. */
export const beginHeartbeat = (response: Pick<ServerResponse, 'write'>, everyMs: number): NodeJS.Timeout =>
  setInterval(() => response.write(KEEP_ALIVE), everyMs);
