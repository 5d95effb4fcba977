import type { Fields } from '../../json/fields.js';
import type { Memory, Received, Reply } from '../persona.js';

/** One kind of model of the multimodal path: pictures and speech share it. */
export interface MultimodalModels {
  has(model: string): boolean;
  answer(request: Fields, received: Received, memory: Memory): Reply;
}
