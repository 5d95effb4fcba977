import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { checkPublicUrl, type HttpPools, type HttpResponse } from '@gateway/http';
import { FetchFailure } from './fetch-failure.js';

const MAX_REDIRECTS = 3;
const HEADERS_TIMEOUT_MS = 30_000;
/** Between two chunks. */
const BODY_TIMEOUT_MS = 30_000;

export interface Downloaded {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface DownloadRules {
  readonly pools: HttpPools;
  readonly limitBytes: number;
  /** Development only: http and private addresses. */
  readonly allowInsecure: boolean;
  readonly signal: AbortSignal;
}

/**
 * Writes what an address of a vendor returns to a new file. Each address, also of a redirect, must be public; the pools
 * check the address that they connect to. Throws a FetchFailure or a HttpFailure.
 */
export async function download(url: string, path: string, rules: DownloadRules): Promise<Downloaded> {
  const response = await openResult(url, rules);
  if (response.status !== 200) {
    await response.dump();
    throw new FetchFailure('status', { cause: response.status });
  }
  const declared = response.headers['content-length'];
  const hash = createHash('sha256');
  let bytes = 0;
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  await pipeline(
    async function* () {
      if (Number(declared) > rules.limitBytes) throw new FetchFailure('too_large');
      for await (const chunk of response.body) {
        bytes += chunk.length;
        if (bytes > rules.limitBytes) throw new FetchFailure('too_large');
        hash.update(chunk);
        yield chunk;
      }
    },
    file,
    { signal: rules.signal },
  ).finally(() => file.closed || once(file, 'close'));
  if (bytes === 0 || (declared !== undefined && bytes !== Number(declared))) throw new FetchFailure('cut_off');
  return { bytes, sha256: hash.digest('hex') };
}

async function openResult(url: string, rules: DownloadRules): Promise<HttpResponse> {
  let current = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await get(current, rules);
    const { location } = response.headers;
    if (response.status < 300 || response.status >= 400 || location === undefined) return response;
    await response.dump();
    if (!URL.canParse(location, current)) throw new FetchFailure('address_refused');
    current = new URL(location, current).href;
  }
  throw new FetchFailure('too_many_redirects');
}

function get(url: string, { pools, allowInsecure, signal }: DownloadRules): Promise<HttpResponse> {
  // Vendors name some results by http, and serve them by https too.
  const checked = checkPublicUrl(allowInsecure ? url : url.replace(/^http:/i, 'https:'), { allowInsecure });
  if ('problem' in checked) throw new FetchFailure('address_refused');
  return pools.send(
    { method: 'GET', url: checked.url, headers: { accept: '*/*', 'accept-encoding': 'identity' }, body: null },
    { signal, headersTimeoutMs: HEADERS_TIMEOUT_MS, bodyTimeoutMs: BODY_TIMEOUT_MS },
  );
}
