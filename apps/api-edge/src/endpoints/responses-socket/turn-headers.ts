import type { IncomingHttpHeaders } from 'node:http';

/** What a response over HTTP says beside its body, and no event does. */
const REPORTED = ['x-gateway-filled', 'x-gateway-dropped', 'deprecation', 'sunset', 'link'] as const;

/** The headers of a turn that its client needs. Undefined: there are none. */
export function turnHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> | undefined {
  const present = REPORTED.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])] as const],
  );
  return present.length === 0 ? undefined : Object.fromEntries(present);
}
