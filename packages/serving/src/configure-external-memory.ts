import { setFlagsFromString } from 'node:v8';

/**
 * To be called once, as the process begins. A body is some buffers that live for milliseconds. V8 marks its whole heap each time
 * that 64 MB of buffers have been made, which with large bodies is after every dozen and half of the processor's time. Told to
 * count them as part of the heap, it finds them dead in the small collections, which cost next to nothing. A V8 that does not
 * know the flag any more says so on its error output, and goes on.
 */
export const configureExternalMemory = (): void => setFlagsFromString('--external-memory-accounted-in-global-limit');
