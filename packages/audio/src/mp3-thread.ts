import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { createEncoder, type WasmMediaEncoder } from 'wasm-media-encoders';
import type { Encoded, Order } from './thread-messages.js';

/*
 * A thread that encodes MP3, started by `mp3-encoders.ts`: its seconds of computing would hold up every other request of the process.
 * It imports nothing of this package but types, so that it also runs from its source.
 */

const MIME_TYPE = 'audio/mpeg';
/** Speech in one channel at 24 kHz needs no more. */
const BITRATE_KBPS = 64;
const FULL_SCALE = 32_768;
const BYTES_PER_SAMPLE = 2;

interface Sound {
  readonly encoder: WasmMediaEncoder<typeof MIME_TYPE>;
  /** The first byte of a sample whose second one has not come. */
  half: number | undefined;
}

const port = parentPort;
if (port === null) throw new Error('this is a thread, not a program');
/** LAME: its bytes at first, compiled once it has been used. */
let lame: Parameters<typeof createEncoder>[1] = readFileSync(
  new URL(import.meta.resolve('wasm-media-encoders/wasm/mp3')),
);
const sounds = new Map<number, Sound>();

function toFloats(sound: Sound, samples: Uint8Array): Float32Array {
  const all = sound.half === undefined ? samples : Uint8Array.of(sound.half, ...samples);
  const count = Math.floor(all.length / BYTES_PER_SAMPLE);
  sound.half = all.length % BYTES_PER_SAMPLE === 0 ? undefined : all[all.length - 1];
  const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
  const floats = new Float32Array(count);
  for (let at = 0; at < count; at += 1) floats[at] = view.getInt16(at * BYTES_PER_SAMPLE, true) / FULL_SCALE;
  return floats;
}

function soundOf(id: number): Sound {
  const sound = sounds.get(id);
  if (sound === undefined) throw new Error('the sound was not begun, or is over');
  return sound;
}

/** What the encoder gives back is a view of its own memory, which the next call writes over. */
const copy = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);

async function obey(order: Exclude<Order, { kind: 'discard' }>): Promise<Uint8Array<ArrayBuffer>> {
  switch (order.kind) {
    case 'open': {
      const encoder = await createEncoder(MIME_TYPE, lame, (compiled) => {
        lame = compiled;
      });
      encoder.configure({ sampleRate: order.sampleRateHz, channels: 1, bitrate: BITRATE_KBPS });
      sounds.set(order.sound, { encoder, half: undefined });
      return new Uint8Array(0);
    }
    case 'encode': {
      const sound = soundOf(order.sound);
      return copy(sound.encoder.encode([toFloats(sound, order.samples)]));
    }
    case 'finish': {
      const { encoder } = soundOf(order.sound);
      sounds.delete(order.sound);
      return copy(encoder.finalize());
    }
  }
}

/** One order after the other, in the order in which they came. */
let turn = Promise.resolve();

port.on('message', (order: Order) => {
  turn = turn.then(async () => {
    const { sound } = order;
    if (order.kind === 'discard') {
      sounds.delete(sound);
      return;
    }
    let answer: Encoded;
    try {
      const bytes = await obey(order);
      answer = { sound, bytes };
      port.postMessage(answer, [bytes.buffer]);
    } catch (error) {
      sounds.delete(sound);
      answer = { sound, error: error instanceof Error ? error.message : String(error) };
      port.postMessage(answer);
    }
  });
});
