export {
  geminiErrorInResponse as errorInResponse,
  readGeminiFailure as readFailure,
} from '../failures/gemini-failure.js';
