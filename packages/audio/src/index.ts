export type { AudioEncoder, AudioFormat } from './audio-encoder.js';
export { AudioEncoders } from './audio-encoders.js';
