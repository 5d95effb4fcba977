export { accessTable, type RouteAccess, requireAccessRule } from './access-table.js';
export { parseBearerToken } from './bearer-token.js';
export { checkRequests } from './check-requests.js';
export { convertError } from './convert-error.js';
export { ErrorFilter } from './error.filter.js';
export { httpAdapter } from './http-adapter.js';
export { readJsonBodies } from './json-bodies.js';
export { invalidMachineToken, MachineToken } from './machine-token.js';
export { invalidField, parse } from './parse.js';
