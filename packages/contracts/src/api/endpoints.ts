import type { ErrorDialect } from '../errors/dialects.js';

/** One row for each public endpoint that runs a model. `dialect` is how its errors are spelled. */
export interface EndpointRow {
  readonly path: string;
  readonly dialect: ErrorDialect;
  /** Bytes; a longer body is 413. */
  readonly bodyLimitBytes: number;
}

const MEBIBYTE = 1024 * 1024;

export const ENDPOINTS = {
  'chat.completions': { path: '/v1/chat/completions', dialect: 'a', bodyLimitBytes: 32 * MEBIBYTE },
} as const satisfies Record<string, EndpointRow>;

export type Endpoint = keyof typeof ENDPOINTS;
