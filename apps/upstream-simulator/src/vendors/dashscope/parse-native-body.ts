import { type Fields, isFields } from '../../json/fields.js';
import type { IncomingRequest } from '../vendor-emulator.js';
import { nativeInvalidParameter } from './native-errors.js';

export const parseNativeBody = (incoming: IncomingRequest): Fields => {
  try {
    const request: unknown = JSON.parse(incoming.body.toString('utf8'));
    if (isFields(request)) return request;
  } catch {
    // Both kinds of garbage get the same answer below.
  }
  throw nativeInvalidParameter('Request body format invalid');
};
