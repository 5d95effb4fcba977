import { type Fields, isFields } from '../../json/fields.js';
import type { IncomingRequest } from '../vendor-emulator.js';
import { invalidParameter } from './ark-errors.js';

export const parseBody = (incoming: IncomingRequest): Fields => {
  try {
    const request: unknown = JSON.parse(incoming.body.toString('utf8'));
    if (isFields(request)) return request;
  } catch {
    // Both kinds of garbage get the same answer below.
  }
  throw invalidParameter('body', 'is not JSON');
};
