export { inThread, type ThreadReply } from './in-thread.js';
export { ThreadPool } from './thread-pool.js';
