export { readOpenAiFailure as readFailure } from '../failures/openai-failure.js';
export { errorInResponse } from '../failures/openai-image-failure.js';
