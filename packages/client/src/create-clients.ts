import createClient, { type Client, type Middleware } from 'openapi-fetch';
import { errorOf } from './gateway-error.js';
import type { paths as AccountPaths } from './generated/accounts.js';
import type { paths as PublicPaths } from './generated/public.js';

export interface ClientOptions {
  /** Such as `https://gateway.example.com`. */
  readonly baseUrl: string;
  /** An API key, or the token of a session. Undefined: routes that need none. */
  readonly token?: string;
  readonly fetch?: typeof fetch;
}

/** Every call of the account interface: `GET('/account/keys')`. */
export type AccountClient = Client<AccountPaths>;
/** Every call of the public API: `POST('/v1/videos/generations', { body })`. */
export type PublicClient = Client<PublicPaths>;

const throwRefusals: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw errorOf(response, await response.text());
  },
};

function open<Paths extends object>({ baseUrl, token, fetch: ownFetch }: ClientOptions): Client<Paths> {
  const client = createClient<Paths>({
    baseUrl,
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    ...(ownFetch !== undefined && { fetch: (request: Request) => ownFetch(request) }),
  });
  client.use(throwRefusals);
  return client;
}

/** A client of the account address. Its calls throw `GatewayError` for each status from 400 on. */
export const createAccountClient = (options: ClientOptions): AccountClient => open<AccountPaths>(options);

/** A client of the public address. Its calls throw `GatewayError` for each status from 400 on. */
export const createPublicClient = (options: ClientOptions): PublicClient => open<PublicPaths>(options);

/** The JSON body of an answer. Throws what the call throws, and TypeError for an answer without one. */
export async function dataOf<Data>(
  answer: Promise<{ readonly data?: Data }>,
): Promise<Exclude<NonNullable<Data>, string>> {
  const { data } = await answer;
  if (data === undefined || data === null || typeof data === 'string') {
    throw new TypeError('The answer has no JSON body.');
  }
  return data as Exclude<NonNullable<Data>, string>;
}
