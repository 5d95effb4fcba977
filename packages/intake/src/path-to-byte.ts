import { jsonBytes as json } from '@gateway/contracts';

/** As much of a name as is worth repeating. */
const NAME_BYTES = 64;

/** The index or the name at which we are in each list and object that is open. */
class Trail {
  readonly steps: (string | number)[] = [];
  #text = '';

  read(text: string): void {
    this.#text = text;
  }

  pass(mark: number | undefined): void {
    const last = this.steps.length - 1;
    const step = this.steps[last];
    if (mark === json.OPEN_LIST) this.steps.push(0);
    else if (mark === json.OPEN_OBJECT) this.steps.push('');
    else if (mark === json.CLOSE_LIST || mark === json.CLOSE_OBJECT) this.steps.pop();
    else if (mark === json.COLON && typeof step === 'string') this.steps[last] = this.#text;
    else if (mark === json.COMMA && typeof step === 'number') this.steps[last] = step + 1;
  }
}

/** The way to the value that begins at `end` of a JSON body that nobody has parsed. */
export function pathToByte(body: Buffer, end: number): readonly PropertyKey[] {
  const trail = new Trail();
  for (let at = 0; at < end; at += 1) {
    if (body[at] === json.QUOTE) {
      const close = json.endOfString(body, at);
      trail.read(body.toString('utf8', at + 1, Math.min(close, at + 1 + NAME_BYTES)));
      at = close;
    } else trail.pass(body[at]);
  }
  return trail.steps;
}
