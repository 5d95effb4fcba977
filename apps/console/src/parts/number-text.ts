/** A number as the server takes it. An empty field is none. Other text goes there as it is, so that its field is named. */
export function numberOrText(text: string): number | string | null {
  const given = text.trim();
  if (given === '') return null;
  const value = Number(given);
  return Number.isFinite(value) ? value : given;
}
