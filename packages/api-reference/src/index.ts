export { runbook } from './runbook.js';
export { serveReference } from './serve-reference.js';
