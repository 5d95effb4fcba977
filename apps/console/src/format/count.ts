export const count = (value: number, locale: string): string => new Intl.NumberFormat(locale).format(value);

/** `12.4K`, for axes and small places. */
export const shortCount = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
