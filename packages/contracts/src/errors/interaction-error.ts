import type { ErrorRecord } from './gateway-error.js';

/** An error within an interaction or its stream. Its HTTP errors have the form of Google's other methods. */
export const interactionError = ({ code, message }: Pick<ErrorRecord, 'code' | 'message'>) => ({ code, message });

/** The data of the event that ends a stream which breaks off. */
export const interactionErrorEvent = (error: ErrorRecord) => ({ event_type: 'error', error: interactionError(error) });
