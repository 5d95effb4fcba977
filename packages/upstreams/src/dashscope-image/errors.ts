export {
  dashScopeErrorInResponse as errorInResponse,
  readDashScopeNativeFailure as readFailure,
} from '../failures/dashscope-native-failure.js';
