export { serveReference } from './serve-reference.js';
