export { readVoyageFailure as readFailure } from '../failures/voyage-failure.js';
