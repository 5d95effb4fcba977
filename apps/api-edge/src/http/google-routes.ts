import { ENDPOINTS, type Endpoint, GatewayError, namesModelInPath } from '@gateway/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Calls of Google's native API: `:call` is `{model}:{method}`. Its newer client libraries ask below `/v1/`. */
export const CALL_PATHS: string[] = ['/v1beta/models/:call', '/v1/models/:call'];

const METHODS: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(ENDPOINTS)
    .filter(([, row]) => namesModelInPath(row))
    .map(([name, { path }]) => [path.slice(path.indexOf('}:') + 2), name as Endpoint]),
);

/** The body limit of each route of `CALL_PATHS`: one route serves all methods. */
export const CALL_LIMIT_BYTES = ENDPOINTS['models.generate_content'].bodyLimitBytes;

/** The model and the endpoint of `{model}:{method}`. Undefined for a method that the edge does not serve. */
export function modelCallOf(call: string): { readonly pathModel: string; readonly endpoint: Endpoint } | undefined {
  const colon = call.lastIndexOf(':');
  const endpoint = METHODS.get(call.slice(colon + 1));
  return colon === -1 || endpoint === undefined ? undefined : { pathModel: call.slice(0, colon), endpoint };
}

const CALL_URL = /^\/v1\/models\/[^/?]+(?::|%3a)[a-z]+(?:\?|$)/i;

/** True of a URL that only a client of Google's native API asks. */
export const isGoogleUrl = (url: string): boolean => url.startsWith('/v1beta/') || CALL_URL.test(url);

/** Google's libraries send the key in this header, on every route. */
export const usesGoogleFormat = ({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): boolean =>
  isGoogleUrl(url) || (headers['x-goog-api-key'] !== undefined && headers.authorization === undefined);

const ALLOWED_ON_MODEL = 'GET, HEAD';

/** Throws 405 for a POST to a model without a method: the route of calls would take it. */
export function refuseModelWithoutMethod({ routeOptions, params }: FastifyRequest, reply: FastifyReply): void {
  if (!CALL_PATHS.includes(routeOptions.url ?? '')) return;
  const { call } = params as { readonly call?: string };
  if (call?.includes(':') !== false) return;
  reply.header('allow', ALLOWED_ON_MODEL);
  throw new GatewayError('method_not_allowed', `POST is not served here, only ${ALLOWED_ON_MODEL}.`);
}

/** Throws 401 for a key in the query, even if it is valid: proxies and logs keep URLs. */
export function refuseKeyInUrl(request: FastifyRequest): void {
  const { key } = request.query as Readonly<Record<string, unknown>>;
  if (key === undefined || !/\/(?:models|interactions)/.test(request.url)) return;
  throw new GatewayError(
    'invalid_api_key',
    'A key in the URL is refused, because URLs end in logs. Send it in the header `x-goog-api-key`, and replace this key.',
  );
}
