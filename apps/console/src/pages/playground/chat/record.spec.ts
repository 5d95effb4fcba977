import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startRecording } from './record.js';

/** The browser's microphone, which counts the tracks that are on, and its recorder. */
function withMicrophone(onAsked: () => void = () => undefined) {
  const open = { tracks: 0 };
  const getUserMedia = async () => {
    onAsked();
    open.tracks += 1;
    let isOn = true;
    const stop = () => {
      if (isOn) open.tracks -= 1;
      isOn = false;
    };
    return { getTracks: () => [{ stop }] };
  };
  Object.defineProperty(globalThis, 'navigator', { value: { mediaDevices: { getUserMedia } }, configurable: true });
  return open;
}

class FakeRecorder {
  start(): void {}
}

class RefusingRecorder {
  constructor() {
    throw new Error('NotSupportedError');
  }
}

const { navigator } = globalThis;
const use = (recorder: unknown) => Object.assign(globalThis, { MediaRecorder: recorder });

beforeEach(() => void use(FakeRecorder));
afterEach(() => {
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
  Reflect.deleteProperty(globalThis, 'MediaRecorder');
});

describe('the microphone', () => {
  it('is on while it records, and off once the page is left', async () => {
    const open = withMicrophone();
    const page = new AbortController();
    await startRecording(page.signal);
    expect(open.tracks).toBe(1);
    page.abort();
    expect(open.tracks).toBe(0);
  });

  it('is off if the page was left while the browser asked the person', async () => {
    const page = new AbortController();
    const open = withMicrophone(() => page.abort());
    await expect(startRecording(page.signal)).rejects.toThrow();
    expect(open.tracks).toBe(0);
  });

  it('is off if the browser cannot record', async () => {
    use(RefusingRecorder);
    const open = withMicrophone();
    await expect(startRecording(new AbortController().signal)).rejects.toThrow('NotSupportedError');
    expect(open.tracks).toBe(0);
  });
});
