/** Where a relay server takes its sockets: a ticket's `replyTo` is `ws://host:port` + this. */
export const RELAY_PATH = '/relay';
