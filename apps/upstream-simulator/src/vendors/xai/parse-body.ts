import { type Fields, isFields } from '../../json/fields.js';
import type { IncomingRequest } from '../vendor-emulator.js';
import { notDeserialized } from './xai-errors.js';

export const parseBody = (incoming: IncomingRequest): Fields => {
  try {
    const request: unknown = JSON.parse(incoming.body.toString('utf8'));
    if (isFields(request)) return request;
  } catch {
    // Both kinds of garbage get the same answer below.
  }
  throw notDeserialized('expected value at line 1 column 1');
};
