/** The start of ioredis' error for a command without a connection and without an offline queue. */
export const NEVER_SENT = "Stream isn't writeable";

/** True if Redis certainly did not run the failed command. False: the outcome is unknown. */
export const wasNeverSent = (error: unknown): boolean => error instanceof Error && error.message.startsWith(NEVER_SENT);
