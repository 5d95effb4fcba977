import { setFlagsFromString } from 'node:v8';

/**
 * Call it once, as the process begins. By default V8 marks its full heap after each 64 MB of new buffers, which cost half
 * of the processor's time with large bodies. With the first flag V8 counts buffers as part of the heap and frees them in
 * cheap minor collections. With the second a heap may double before it is marked: otherwise a worker's 55 MB were marked
 * before a minor collection was due, five times a second. A V8 without a flag writes a warning to stderr and continues.
 */
export const configureExternalMemory = (): void =>
  setFlagsFromString('--external-memory-accounted-in-global-limit --heap-growing-percent=100');
