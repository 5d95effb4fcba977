import type { Fields } from '../../json/fields.js';
import type { IncomingRequest, Memory, Reply } from '../vendor-emulator.js';

/** Image and speech models share one path. */
export interface ModelFamily {
  has(model: string): boolean;
  handle(request: Fields, incoming: IncomingRequest, memory: Memory): Reply;
}
