/** The path of a relay server: a ticket's `replyTo` is `ws://host:port` + this. */
export const RELAY_PATH = '/relay';
