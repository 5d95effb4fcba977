import { z } from 'zod';

/** PostgreSQL has no character NUL. */
export const hasNoNul = (text: string): boolean => !text.includes('\0');

/** A text that PostgreSQL keeps, of at most so many characters. */
export const storedText = (most: number) => z.string().max(most).refine(hasNoNul, 'expected no character NUL');

/** The id of an item of a response or conversation: a longer one would be too long for an index. */
export const storedItemId = storedText(200).min(1);

/** Pairs that a customer keeps with an object, by OpenAI's limits of their lengths. */
export const storedMetadata = z.record(storedText(64), storedText(512));
