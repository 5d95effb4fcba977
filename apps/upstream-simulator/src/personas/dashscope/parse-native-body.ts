import { type Fields, isFields } from '../../json/fields.js';
import type { Received } from '../persona.js';
import { nativeInvalidParameter } from './native-errors.js';

export const parseNativeBody = (received: Received): Fields => {
  try {
    const request: unknown = JSON.parse(received.body.toString('utf8'));
    if (isFields(request)) {
      return request;
    }
  } catch {
    // Both kinds of garbage get the same answer below.
  }
  throw nativeInvalidParameter('Request body format invalid');
};
