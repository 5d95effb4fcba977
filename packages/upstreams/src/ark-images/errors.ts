export { arkErrorInAnswer as errorInAnswer, readArkFailure as readFailure } from '../failures/ark-failure.js';
