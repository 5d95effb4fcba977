export { readXaiFailure as readFailure, xaiErrorInResponse as errorInResponse } from '../failures/xai-failure.js';
