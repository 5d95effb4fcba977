/** What differs between two drafts: a field that stays is neither checked nor overwritten. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const old = before as Readonly<Record<string, unknown>>;
  const isChanged = ([field, value]: readonly [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(old[field]);
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Fields>;
}
