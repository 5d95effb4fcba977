/** Routes without a guard, each with the reason. */
export const PUBLIC_ROUTES: ReadonlySet<string> = new Set([
  // A person has no session yet. Attempt limits protect these two.
  'POST /account/register',
  'POST /account/login',
  // A person proves an address, or has forgotten the password. Limits count networks and addresses.
  'POST /account/password-resets',
  'POST /account/password-resets/complete',
  'POST /account/confirmations',
  'POST /account/invitations/find',
  'POST /account/invitations/accept',
  // It ends the session of the request, if there is one.
  'POST /account/logout',
  // Probes and Prometheus. The network policy keeps them internal.
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
]);
