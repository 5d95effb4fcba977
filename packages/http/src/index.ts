export { ADDRESS_REFUSED } from './egress/public-connector.js';
export { checkPublicUrl, type UrlCheck, type UrlPolicy } from './egress/public-url.js';
export { HttpFailure, type HttpFailureKind, isHttpFailure } from './http-failure.js';
export {
  HttpPools,
  type HttpPoolsOptions,
  type HttpRequest,
  INTERNAL_SERVICES,
  type SendOptions,
} from './http-pools.js';
export type { HttpResponse } from './http-response.js';
export { type JsonRequest, type JsonResponse, jsonRequest } from './json-request.js';
