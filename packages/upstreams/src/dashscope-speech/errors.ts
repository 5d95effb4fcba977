/* The native envelope, `{code, message, request_id}`, is also what clients of this endpoint are told. */
export {
  dashScopeErrorInResponse as errorInStream,
  readDashScopeNativeFailure as readFailure,
} from '../failures/dashscope-native-failure.js';
