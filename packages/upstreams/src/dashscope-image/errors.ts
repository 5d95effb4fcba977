export {
  dashScopeErrorInAnswer as errorInAnswer,
  readDashScopeNativeFailure as readFailure,
} from '../failures/dashscope-native-failure.js';
