import { queryBoolean } from '@gateway/contracts';
import { checkedQuery } from '@gateway/intake';
import { z } from 'zod';

const switches = z.object({ stream: queryBoolean.default(false), include_input: queryBoolean.default(false) });

/** What the query of a stored response asks for. Throws 400: another value than `true` must not return JSON for a stream. */
export const readSwitches = (query: object): z.infer<typeof switches> => checkedQuery(switches, query);
