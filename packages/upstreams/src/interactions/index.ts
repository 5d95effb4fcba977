export { changesInNamesOfInteraction, inNamesOfInteraction } from './client-names.js';
export { InteractionStream, interactionOfReply, streamOfInteraction } from './convert.js';
export { type GenerateOfInteraction, generateOfInteraction } from './generate-of-interaction.js';
export { imageBodyOfInteraction } from './image-body.js';
export type { InteractionFrame } from './interaction-answer.js';
