export { buildDocument, type OpenApiDocument } from './build-document.js';
export { type ControllerRoute, controllerRoutes, Describe, descriptionOf } from './describe.js';
export { undescribedFields } from './describe-fields.js';
export type { DocumentSetup } from './document-setup.js';
export { errorTable } from './error-answers.js';
export { unrecordedExamples, withoutExample } from './examples.js';
export { templateOf } from './operations.js';
export type { RecordedAnswer, RecordedAnswers } from './recorded-answer.js';
export type {
  Answer,
  Content,
  DescribedRoute,
  EventStream,
  RequestExample,
  RouteDescription,
} from './route-description.js';
