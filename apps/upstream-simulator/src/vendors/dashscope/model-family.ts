import type { Fields } from '../../json/fields.js';
import type { IncomingRequest, Memory, Reply } from '../vendor-emulator.js';

/** One kind of model of the multimodal path: pictures and speech share it. */
export interface ModelFamily {
  has(model: string): boolean;
  handle(request: Fields, incoming: IncomingRequest, memory: Memory): Reply;
}
