export { readXaiFailure as readFailure, xaiErrorInAnswer as errorInAnswer } from '../failures/xai-failure.js';
