export { geminiErrorInAnswer as errorInAnswer, readGeminiFailure as readFailure } from '../failures/gemini-failure.js';
