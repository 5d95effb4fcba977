import { jsonBytes as json } from '@gateway/contracts';

/** Longer names are cut in the error. */
const NAME_BYTES = 64;

/** The current index or name within each open list and object. */
class JsonPath {
  readonly steps: (string | number)[] = [];
  #text = '';

  string(text: string): void {
    this.#text = text;
  }

  byte(mark: number | undefined): void {
    const last = this.steps.length - 1;
    const step = this.steps[last];
    if (mark === json.OPEN_ARRAY) this.steps.push(0);
    else if (mark === json.OPEN_OBJECT) this.steps.push('');
    else if (mark === json.CLOSE_ARRAY || mark === json.CLOSE_OBJECT) this.steps.pop();
    else if (mark === json.COLON && typeof step === 'string') this.steps[last] = this.#text;
    else if (mark === json.COMMA && typeof step === 'number') this.steps[last] = step + 1;
  }
}

/** The path to the value that begins at byte `end` of an unparsed JSON body. */
export function pathToByte(body: Buffer, end: number): readonly PropertyKey[] {
  const path = new JsonPath();
  for (let at = 0; at < end; at += 1) {
    if (body[at] === json.QUOTE) {
      const close = json.endOfString(body, at);
      path.string(body.toString('utf8', at + 1, Math.min(close, at + 1 + NAME_BYTES)));
      at = close;
    } else path.byte(body[at]);
  }
  return path.steps;
}
