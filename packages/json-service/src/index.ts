export { accessTable, type RouteAccess, requireAccessRule } from './access-table.js';
export { checkRequests } from './check-requests.js';
export { convertError } from './convert-error.js';
export { ErrorFilter } from './error.filter.js';
export { httpAdapter } from './http-adapter.js';
export { readJsonBodies } from './json-bodies.js';
export { type ListenOptions, listen, type RunningService } from './listen.js';
export { invalidMachineToken, MachineToken } from './machine-token.js';
export { invalidField, parse } from './parse.js';
