export {
  type FormField,
  type Place,
  PUBLIC_API,
  type SnippetAnswer,
  type SnippetRequest,
  type SnippetServer,
} from './snippet-request.js';
export { SNIPPET_LANGUAGES, type SnippetLanguage, writeSnippet } from './write-snippet.js';
