/** Writes named events, numbered from 0. */
export class EventWriter {
  #sequence = 0;

  write(type: string, fields: object): string {
    const data = JSON.stringify({ type, sequence_number: this.#sequence, ...fields });
    this.#sequence += 1;
    return `event: ${type}\ndata: ${data}\n\n`;
  }

  delta(type: string, place: object, delta: string): string {
    return this.write(type, { ...place, delta });
  }
}
