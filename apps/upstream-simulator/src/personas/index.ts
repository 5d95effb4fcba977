import { openAi } from './openai/index.js';
import type { Persona } from './persona.js';

/** Every vendor that the simulator plays. */
export const PERSONAS: readonly Persona[] = [openAi];
