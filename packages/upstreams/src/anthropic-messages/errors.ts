export {
  anthropicErrorInResponse as errorInResponse,
  readAnthropicFailure as readFailure,
} from '../failures/anthropic-failure.js';
