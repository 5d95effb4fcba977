import { serveSessions } from '@gateway/threads';
import { openThreadedPlan } from './threaded-plan.js';

/* A thread runs this file by its path. */

serveSessions(openThreadedPlan);
