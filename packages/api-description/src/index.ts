export {
  buildDocument,
  type DocumentSetup,
  type OpenApiDocument,
  templateOf,
  unrecordedExamples,
  withoutExample,
} from './build-document.js';
export { type ControllerRoute, controllerRoutes, Describe, descriptionOf } from './describe.js';
export { undescribedFields } from './describe-fields.js';
export { errorTable } from './error-answers.js';
export type { RecordedAnswer, RecordedAnswers } from './recorded-answer.js';
export type {
  Answer,
  Content,
  DescribedRoute,
  EventStream,
  RequestExample,
  RouteDescription,
} from './route-description.js';
