import { describe, expect, it } from '@jest/globals';
import { requestPath } from './later/request-record.js';
import { taskPath } from './videos/video-record.js';

describe('an id of a client', () => {
  it.each(['', '.', '..', '\ud800', 7, null])('is refused if no path can have it: %j', (id) => {
    expect(() => requestPath({ request_id: id })).toThrow('expected the id of a request');
    expect(() => taskPath({ task_id: id })).toThrow('expected the id of a video task');
  });

  it.each(['req_a', '../models', '...', '%2e%2e'])('stays one segment of its path: %s', (id) => {
    for (const path of [requestPath({ request_id: id }), taskPath({ task_id: id })]) {
      expect(new URL(path, 'http://edge').pathname.split('/').at(-1)).toBe(encodeURIComponent(id));
    }
  });
});
