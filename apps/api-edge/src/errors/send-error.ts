import {
  ENDPOINTS,
  type ErrorCode,
  type ErrorDialect,
  errorStatus,
  GatewayError,
  hasGoogleForm,
  interactionErrorEvent,
  isGatewayError,
  renderError,
  truncateForError,
} from '@gateway/contracts';
import { errorHeaders } from '@gateway/serving';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FORM_PATHS } from '../http/form-paths.js';
import { renderResponseFailed, type SentSoFar } from './response-failed.js';
import { sendWhileReceiving } from './send-while-receiving.js';

/** Errors that Fastify throws before any handler runs, and those of a full disk below the folder of uploads. */
const KNOWN_CODES: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'service_unavailable',
  EDQUOT: 'service_unavailable',
  FST_ERR_CTP_BODY_TOO_LARGE: 'request_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'not_found',
};

/** The same errors after Nest has wrapped them: only the status remains. */
const STATUS_CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  404: 'not_found',
  413: 'request_too_large',
  415: 'unsupported_media_type',
};

const EVENT_STREAM = 'text/event-stream';

/** Below a right base URL. Google's library uploads beside it. */
const BELOW_BASE = /^\/(?:upload\/)?v1(?:alpha|beta)?\//;
/** Endpoints of vendors that end like a served one. */
const NOT_SERVED = /^\/v1\/(?:threads|organizations?)\//;
const SERVED = Object.values(ENDPOINTS).map(({ path }) => path.slice(path.indexOf('/', 1)));

/** True of a path that only a wrong base URL explains: a served path below something else. */
const hasWrongBase = (path: string): boolean =>
  !BELOW_BASE.test(path) || (!NOT_SERVED.test(path) && SERVED.some((served) => path.endsWith(served)));

/** Names method and path, and what the client may have meant: a wrong base URL is the most common mistake. */
export function routeNotFound({
  method,
  url,
  protocol,
  host,
}: Pick<FastifyRequest, 'method' | 'url' | 'protocol' | 'host'>): GatewayError {
  const origin = `${protocol}://${truncateForError(host)}`;
  const [path = ''] = url.split('?', 1);
  const hint = hasWrongBase(path)
    ? `The base URL is ${origin}/v1 for OpenAI libraries, and ${origin} for those of Anthropic and Google. GET /v1/models lists the endpoints of each model.`
    : `This gateway does not serve this endpoint. ${origin}/docs lists what it serves.`;
  return new GatewayError('not_found', `There is no such route: ${method} ${truncateForError(path)}. ${hint}`);
}

const MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  request_too_large: 'The body of the request is too large.',
  not_found: 'There is no such route.',
  service_unavailable: 'There is no room for a body of this size right now, try again shortly.',
  unsupported_media_type: `Unsupported content type: send 'application/json', or 'multipart/form-data' to ${FORM_PATHS.join(', ')}.`,
};

/** Converts any thrown value. An unknown error becomes `internal_error` without details, so that nothing leaks. */
export function toGatewayError(error: unknown): GatewayError {
  if (isGatewayError(error)) return error;
  const code = error instanceof Error ? codeOf(error) : undefined;
  if (code !== undefined) return new GatewayError(code, MESSAGES[code] ?? (error as Error).message);
  return new GatewayError('internal_error', 'The server had an error while processing your request.');
}

function codeOf(error: Error): ErrorCode | undefined {
  if ('code' in error) return KNOWN_CODES[String(error.code)];
  return 'getStatus' in error && typeof error.getStatus === 'function' ? STATUS_CODES[error.getStatus()] : undefined;
}

/** Dialects whose clients get an upstream's own 4xx as it came: it already has their form. */
const PASSED_THROUGH: ReadonlySet<ErrorDialect> = new Set(['anthropic', 'brief']);

/** True if a vendor's own error is in Google's form: the vendor may be another one. */
function isGoogleError(body: string): boolean {
  try {
    const { error } = JSON.parse(body) as { readonly error?: { readonly code?: unknown; readonly status?: unknown } };
    return typeof error?.code === 'number' && typeof error.status === 'string';
  } catch {
    // A vendor of another form.
    return false;
  }
}

const passesThrough = (dialect: ErrorDialect, body: string): boolean =>
  PASSED_THROUGH.has(dialect) || (hasGoogleForm(dialect) && isGoogleError(body));

/** Sends an error in the client's dialect. An upstream's own 4xx keeps its status and its code. */
export function sendError(error: GatewayError, dialect: ErrorDialect, reply: FastifyReply): void {
  const { passThrough } = error.details;
  const requestId = String(reply.request.id);
  if (passThrough !== undefined && passesThrough(dialect, passThrough.body)) {
    reply
      .code(passThrough.status)
      .header('content-type', passThrough.contentType)
      .header('x-should-retry', 'false')
      .send(passThrough.body);
    return;
  }
  const record = error.toRecord();
  reply
    .code(errorStatus(dialect, record))
    .headers(errorHeaders(record))
    .header('content-type', 'application/json; charset=utf-8');
  sendWhileReceiving(reply, JSON.stringify(renderError(dialect, record, requestId)));
}

/** A stream that breaks off: its client, and what it has got. */
export interface BrokenStream {
  readonly dialect: ErrorDialect;
  readonly requestId: string;
  readonly model: string | undefined;
  /** Only in the Responses protocol, whose events are numbered. */
  readonly sent: SentSoFar | undefined;
}

/** The event that ends a failed stream: the upstream's own, or one in the client's dialect. Nothing may follow it. */
export function renderErrorEvent(error: GatewayError, { dialect, requestId, model, sent }: BrokenStream): string {
  const { passThrough } = error.details;
  if (passThrough?.contentType === EVENT_STREAM) return passThrough.body;
  const record = error.toRecord();
  if (dialect === 'responses') return renderResponseFailed(record, { requestId, model, sent });
  if (dialect === 'interactions') return `event: error\ndata: ${JSON.stringify(interactionErrorEvent(record))}\n\n`;
  const data = `data: ${JSON.stringify(renderError(dialect, record, requestId))}\n\n`;
  return dialect === 'anthropic' ? `event: error\n${data}` : data;
}
