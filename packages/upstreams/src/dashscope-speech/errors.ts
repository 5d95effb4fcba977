/* Clients of this endpoint also receive the native envelope, `{code, message, request_id}`. */
export {
  dashScopeErrorInResponse as errorInStream,
  readDashScopeNativeFailure as readFailure,
} from '../failures/dashscope-native-failure.js';
