/** The other side sent what is not the protocol: its socket is closed, because nothing after it can be trusted. */
export class RelayProtocolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RelayProtocolError';
  }
}
