/** The peer broke the protocol. Its socket is closed, because no later frame can be trusted. */
export class RelayProtocolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RelayProtocolError';
  }
}
