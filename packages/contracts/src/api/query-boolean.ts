import { z } from 'zod';

const VALUES: Readonly<Record<string, boolean>> = { true: true, false: false };

/** `true` or `false` in a query, whose values are text. Its description is that of a boolean, so that typed clients take one. */
export const queryBoolean = z.preprocess(
  (given) => (typeof given === 'string' && Object.hasOwn(VALUES, given) ? VALUES[given] : given),
  z.boolean('must be true or false'),
);
