import { serveSessions } from '@gateway/threads';
import { openThreadedSubmission } from './threaded-submission.js';

/* A thread runs this file by its path. */

serveSessions(openThreadedSubmission);
