export { errorInAnswer, readFailure } from '../failures/openai-image-failure.js';
