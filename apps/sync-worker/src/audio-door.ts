/** The `AudioEncoders` of this process. */
export const AUDIO_ENCODERS = Symbol('AudioEncoders');
