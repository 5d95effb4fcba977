import { wavOf } from './wav.js';

/** Enough for speech, and what the models convert to anyway. */
const SAMPLE_RATE = 16_000;

/** Browsers record in forms of their own, so the sound is decoded, mixed to one channel, and written as WAV. */
async function asWav(recorded: Blob): Promise<File> {
  const context = new AudioContext();
  try {
    const sound = await context.decodeAudioData(await recorded.arrayBuffer());
    const offline = new OfflineAudioContext(1, Math.max(1, Math.ceil(sound.duration * SAMPLE_RATE)), SAMPLE_RATE);
    const source = offline.createBufferSource();
    source.buffer = sound;
    source.connect(offline.destination);
    source.start();
    const mixed = await offline.startRendering();
    return new File([wavOf(mixed.getChannelData(0), SAMPLE_RATE)], 'recording.wav', { type: 'audio/wav' });
  } finally {
    await context.close();
  }
}

export interface Recording {
  /** Ends it, and gives the file. */
  readonly finish: () => Promise<File>;
}

function record(stream: MediaStream): () => Promise<Blob> {
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve();
  });
  recorder.start();
  return async () => {
    recorder.stop();
    await stopped;
    return new Blob(parts, { type: recorder.mimeType });
  };
}

/**
 * Records the microphone until it is finished, or without a file until the signal aborts. Throws where the person or the
 * browser refuses it. The microphone is free after each of these.
 */
export async function startRecording(signal: AbortSignal): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const release = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  try {
    // The browser may have asked the person for a while.
    signal.throwIfAborted();
    const end = record(stream);
    signal.addEventListener('abort', release, { once: true });
    return { finish: () => end().finally(release).then(asWav) };
  } catch (error) {
    release();
    throw error;
  }
}
