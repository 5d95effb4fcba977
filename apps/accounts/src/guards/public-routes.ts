/** Routes without a guard, each with the reason. */
export const PUBLIC_ROUTES: ReadonlySet<string> = new Set([
  // A person has no session yet. Attempt limits protect these two.
  'POST /account/register',
  'POST /account/login',
  // It ends the session of the request, if there is one.
  'POST /account/logout',
  // Probes and Prometheus. The network policy keeps them internal.
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
]);
