import diagnostics from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { Contract, type ObservedAnswer } from './contract.js';
import { VendorContract } from './vendor-contract.js';

type DocumentName = 'public' | 'accounts';

interface Watched {
  readonly document: DocumentName;
  readonly answer: Omit<ObservedAnswer, 'body'>;
  readonly chunks: Buffer[];
  bytes: number;
}

interface Message {
  readonly request: { readonly origin: string; readonly method: string; readonly path: string };
  readonly response: { readonly statusCode: number; readonly headers: readonly Buffer[] };
  readonly chunk: Uint8Array;
}

/** A larger body is not held: media, and floods of a test. */
const MOST_BYTES = 2_000_000;
const MOST_FAULTS = 20;

const documentAt = (name: DocumentName): URL => new URL(`../../../../docs/openapi/${name}.json`, import.meta.url);

const contracts = new Map<DocumentName, Contract>();
function contractOf(name: DocumentName): Contract {
  const known = contracts.get(name) ?? new Contract(JSON.parse(readFileSync(documentAt(name), 'utf8')) as object);
  contracts.set(name, known);
  return known;
}

let openai: VendorContract | undefined;
let isVendorHeld = true;

/** Drawn requests have values that the vendor would refuse, and their answers return them: ours are judged alone. */
export function leaveVendorSchema(): void {
  isVendorHeld = false;
}

/** What our document, and that of the vendor whose clients use these paths, refuses in an answer. */
function faultOf(document: DocumentName, answer: ObservedAnswer): string | undefined {
  const fault = contractOf(document).faultOf(answer);
  if (fault !== undefined || document !== 'public' || !isVendorHeld) return fault;
  openai ??= new VendorContract();
  return openai.faultOf(answer);
}

const origins = new Map<string, DocumentName>();
const faults = new Set<string>();

/** Holds all answers of this address against its document. */
export function watchOrigin(url: string, document: DocumentName): void {
  origins.set(new URL(url).origin, document);
}

/** Answers that are not as described, since the last call. */
export function takeContractFaults(): readonly string[] {
  const taken = [...faults];
  faults.clear();
  return taken;
}

/** The twin of a GET, and what a browser asks before another site may call. */
const NOT_JUDGED: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS']);

function judge(document: DocumentName, answer: ObservedAnswer): void {
  if (faults.size >= MOST_FAULTS || answer.status === 101 || NOT_JUDGED.has(answer.method)) return;
  let fault: string | undefined;
  try {
    fault = faultOf(document, answer);
  } catch (error) {
    fault = `${answer.method} ${answer.path} ${answer.status}: ${(error as Error).message}`;
  }
  if (fault !== undefined) faults.add(fault);
}

/** Judges an answer that a client without `fetch` got. */
export function observeAnswer(baseUrl: string, answer: ObservedAnswer): void {
  const document = origins.get(new URL(baseUrl).origin);
  if (document !== undefined) judge(document, answer);
}

const headersOf = (raw: readonly Buffer[]): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    headers[String(raw[index]).toLowerCase()] = String(raw[index + 1]);
  }
  return headers;
};

/** Watches `fetch` without touching its bodies: Node reports each request on these channels. */
export function watchFetch(): void {
  const open = new WeakMap<object, Watched>();
  diagnostics.subscribe('undici:request:headers', (message) => {
    const { request, response } = message as Message;
    const document = origins.get(request.origin);
    if (document === undefined) return;
    const headers = headersOf(response.headers);
    const answer = { method: request.method, path: request.path, status: response.statusCode, headers };
    open.set(request, { document, answer, chunks: [], bytes: 0 });
  });
  diagnostics.subscribe('undici:request:bodyChunkReceived', (message) => {
    const { request, chunk } = message as Message;
    const watched = open.get(request);
    if (watched === undefined) return;
    watched.bytes += chunk.length;
    if (watched.bytes <= MOST_BYTES) watched.chunks.push(Buffer.from(chunk));
  });
  diagnostics.subscribe('undici:request:trailers', (message) => {
    const { request } = message as Message;
    const watched = open.get(request);
    if (watched === undefined || watched.bytes > MOST_BYTES) return;
    judge(watched.document, { ...watched.answer, body: Buffer.concat(watched.chunks) });
  });
}
