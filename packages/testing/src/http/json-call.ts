/** A JSON response of a service's interface with a status other than 2xx. */
export class UnexpectedStatus extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
    call: string,
  ) {
    super(`${call} returned ${status}: ${JSON.stringify(body)}`);
  }
}

export interface JsonCall {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly token?: string;
  readonly body?: object;
}

/** Calls a JSON interface once. Throws `UnexpectedStatus` for any status but 2xx. */
export async function callJson<Body>(url: string, { method = 'GET', token, body }: JsonCall = {}): Promise<Body> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed: unknown = text === '' ? undefined : JSON.parse(text);
  if (!response.ok) throw new UnexpectedStatus(response.status, parsed, `${method} ${url}`);
  return parsed as Body;
}
