import { describe, expect, it } from '@jest/globals';
import { REQUEST_HEADERS } from './headers.js';

describe('the headers of requests', () => {
  it.each(Object.entries(REQUEST_HEADERS))(
    '%s has no example, so the reference does not send it unasked',
    (_name, schema) => {
      expect(schema.meta()).toEqual({ description: expect.any(String) });
    },
  );
});
