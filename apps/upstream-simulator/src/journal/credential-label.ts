const MAX_LABEL_LENGTH = 11;

/** A test's short label as it is; anything longer could be a real key, so only its end is shown. */
export const credentialLabel = (credential: string | undefined): string | null => {
  if (credential === undefined || credential === '') return null;
  return credential.length <= MAX_LABEL_LENGTH ? credential : `****${credential.slice(-4)}`;
};
