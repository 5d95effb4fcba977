export { ADDRESS_REFUSED } from './egress/public-connector.js';
export { checkPublicUrl, type UrlCheck, type UrlPolicy } from './egress/public-url.js';
export type { HttpAnswer } from './http-answer.js';
export { HttpFailure, type HttpFailureKind, isHttpFailure } from './http-failure.js';
export { HttpPools, type HttpPoolsOptions, type HttpRequest, OWN_SERVICES, type SendOptions } from './http-pools.js';
export { type JsonAnswer, type JsonRequest, jsonRequest } from './json-request.js';
