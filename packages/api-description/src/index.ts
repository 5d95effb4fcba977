export {
  buildDocument,
  type DocumentSetup,
  type OpenApiDocument,
  type RecordedAnswer,
  type RecordedAnswers,
  templateOf,
} from './build-document.js';
export { type ControllerRoute, controllerRoutes, Describe } from './describe.js';
export { errorTable } from './error-answers.js';
export type {
  Answer,
  Content,
  DescribedRoute,
  EventStream,
  RequestExample,
  RouteDescription,
} from './route-description.js';
