/** A field with this last day takes years of four digits. */
export const LAST_DAY = '9999-12-31';

/** False for the year 0202, on the way to 2026. */
export const hasWholeYear = (text: string): boolean => text === '' || text >= '1970';
