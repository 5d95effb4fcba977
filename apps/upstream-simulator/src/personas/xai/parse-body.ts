import { type Fields, isFields } from '../../json/fields.js';
import type { Received } from '../persona.js';
import { notDeserialized } from './xai-errors.js';

export const parseBody = (received: Received): Fields => {
  try {
    const request: unknown = JSON.parse(received.body.toString('utf8'));
    if (isFields(request)) {
      return request;
    }
  } catch {
    // Both kinds of garbage get the same answer below.
  }
  throw notDeserialized('expected value at line 1 column 1');
};
