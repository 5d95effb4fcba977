const LINE_FEED = 10;

/** Counts the events of a stream by the empty lines that end them, independent of chunk borders. */
export class EventCounter {
  #endsInLineFeed = false;

  count(bytes) {
    let events = this.#endsInLineFeed && bytes[0] === LINE_FEED ? 1 : 0;
    let from = events;
    for (;;) {
      const at = bytes.indexOf('\n\n', from);
      if (at < 0) break;
      events += 1;
      from = at + 2;
    }
    this.#endsInLineFeed = bytes.length > from && bytes.at(-1) === LINE_FEED;
    return events;
  }
}
