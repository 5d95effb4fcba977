import { type Fields, isFields } from '../../json/fields.js';
import type { Received } from '../persona.js';
import { invalidParameter } from './ark-errors.js';

export const parseBody = (received: Received): Fields => {
  try {
    const request: unknown = JSON.parse(received.body.toString('utf8'));
    if (isFields(request)) {
      return request;
    }
  } catch {
    // Both kinds of garbage get the same answer below.
  }
  throw invalidParameter('body', 'is not JSON');
};
