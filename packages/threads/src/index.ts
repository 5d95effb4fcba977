export { inThread, type ThreadReply } from './in-thread.js';
export { ownBytes } from './own-bytes.js';
export { reportFaults } from './report-faults.js';
export { type OpenedSession, type SessionHandlers, serveSessions } from './serve-sessions.js';
export { SessionThreads, type ThreadSession } from './session-threads.js';
export { ThreadPool } from './thread-pool.js';
