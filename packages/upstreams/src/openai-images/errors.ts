export { readOpenaiFailure as readFailure } from '../failures/openai-failure.js';
export { errorInAnswer } from '../failures/openai-image-failure.js';
