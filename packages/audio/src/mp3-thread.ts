import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { createEncoder, type WasmMediaEncoder } from 'wasm-media-encoders';
import type { ThreadRequest, ThreadResponse } from './thread-messages.js';

/*
 * The MP3 thread, started by `mp3-encoders.ts`: encoding would block the other requests of the process.
 * It imports only types of this package, so that it also runs from its source.
 */

const MIME_TYPE = 'audio/mpeg';
/** Enough for speech in one channel at 24 kHz. */
const BITRATE_KBPS = 64;
const FULL_SCALE = 32_768;
const BYTES_PER_SAMPLE = 2;

interface Stream {
  readonly encoder: WasmMediaEncoder<typeof MIME_TYPE>;
  /** The first byte of a sample whose second byte has not arrived. */
  firstByte: number | undefined;
}

const port = parentPort;
if (port === null) throw new Error('mp3-thread must run as a worker thread');
/** The bytes of LAME; after the first use the compiled module. */
let lame: Parameters<typeof createEncoder>[1] = readFileSync(
  new URL(import.meta.resolve('wasm-media-encoders/wasm/mp3')),
);
const streams = new Map<number, Stream>();

function toFloats(stream: Stream, samples: Uint8Array): Float32Array {
  const all = stream.firstByte === undefined ? samples : Uint8Array.of(stream.firstByte, ...samples);
  const count = Math.floor(all.length / BYTES_PER_SAMPLE);
  stream.firstByte = all.length % BYTES_PER_SAMPLE === 0 ? undefined : all[all.length - 1];
  const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
  const floats = new Float32Array(count);
  for (let index = 0; index < count; index += 1) {
    floats[index] = view.getInt16(index * BYTES_PER_SAMPLE, true) / FULL_SCALE;
  }
  return floats;
}

function streamOf(id: number): Stream {
  const stream = streams.get(id);
  if (stream === undefined) throw new Error('the stream was not opened, or is over');
  return stream;
}

/** The encoder returns a view of its memory, which its next call overwrites. */
const copy = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

async function handle(request: Exclude<ThreadRequest, { kind: 'discard' }>): Promise<Uint8Array<ArrayBuffer>> {
  switch (request.kind) {
    case 'open': {
      const encoder = await createEncoder(MIME_TYPE, lame, (compiled) => {
        lame = compiled;
      });
      encoder.configure({ sampleRate: request.sampleRateHz, channels: 1, bitrate: BITRATE_KBPS });
      streams.set(request.streamId, { encoder, firstByte: undefined });
      return new Uint8Array(0);
    }
    case 'encode': {
      const stream = streamOf(request.streamId);
      return copy(stream.encoder.encode([toFloats(stream, request.samples)]));
    }
    case 'finish': {
      const { encoder } = streamOf(request.streamId);
      streams.delete(request.streamId);
      return copy(encoder.finalize());
    }
  }
}

/** Settles when the last request has been handled: requests run one after the other. */
let lastRequest = Promise.resolve();

port.on('message', (request: ThreadRequest) => {
  lastRequest = lastRequest.then(async () => {
    const { streamId } = request;
    if (request.kind === 'discard') {
      streams.delete(streamId);
      return;
    }
    let response: ThreadResponse;
    try {
      const bytes = await handle(request);
      response = { streamId, bytes };
      port.postMessage(response, [bytes.buffer]);
    } catch (error) {
      streams.delete(streamId);
      response = { streamId, error: error instanceof Error ? error.message : String(error) };
      port.postMessage(response);
    }
  });
});
