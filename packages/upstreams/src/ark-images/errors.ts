export { arkErrorInResponse as errorInResponse, readArkFailure as readFailure } from '../failures/ark-failure.js';
