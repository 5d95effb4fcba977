/** What the client says of a command that it was given while it had no connection, and that it keeps no queue for. */
export const NEVER_SENT = "Stream isn't writeable";

/** True if Redis certainly has not run a command that failed with this error; otherwise nobody knows. */
export const wasNeverSent = (error: unknown): boolean => error instanceof Error && error.message.startsWith(NEVER_SENT);
