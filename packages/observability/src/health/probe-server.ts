/**
 * Options of an HTTP server that serves only probes and metrics. It closes all connections when it stops: a scraper that hangs
 * half-way through its request would keep a drained process until the end of its grace time.
 */
export const PROBE_SERVER = { forceCloseConnections: true } as const;
