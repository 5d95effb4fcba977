import { JsonCursor, jsonTextSize } from '@gateway/contracts';
import { malformedResponse } from '../failures/malformed-response.js';

const LOWER_F = 0x66;
const COMMA = 0x2c;
const SPACE = 0x20;
const USAGE = '"usage"';

/** Facts about one `chat.completion.chunk` that its bytes do not need parsing for. */
export interface ChunkScan {
  /** Range of the value of `model`, quotes included; both -1 if it is absent. */
  readonly modelStart: number;
  readonly modelEnd: number;
  readonly hasUsage: boolean;
  /** Range of the member `usage` if it is null, with one comma beside it; both -1 if there is none. */
  readonly nullUsageStart: number;
  readonly nullUsageEnd: number;
  readonly hasError: boolean;
  readonly hasChoices: boolean;
  readonly hasFinishReason: boolean;
  /** `textSize` of text, refusals, tool names and tool arguments. */
  readonly visibleSize: number;
  readonly reasoningSize: number;
}

/**
 * Scans a chunk for the fields that the gateway reads, without parsing it. `scan` returns the same object every time.
 * Throws a GatewayError (`upstream_error`) for bytes that are not a chunk.
 */
export class ChunkScanner {
  readonly #cursor = new JsonCursor(malformedResponse);
  #json: Buffer = Buffer.alloc(0);
  readonly #scan = {
    modelStart: -1,
    modelEnd: -1,
    hasUsage: false,
    nullUsageStart: -1,
    nullUsageEnd: -1,
    hasError: false,
    hasChoices: false,
    hasFinishReason: false,
    visibleSize: 0,
    reasoningSize: 0,
  };

  scan(json: Buffer): ChunkScan {
    const cursor = this.#cursor;
    cursor.open(json);
    this.#json = json;
    this.#reset();
    cursor.enterObject();
    for (let isFirst = true; cursor.nextMember(isFirst); isFirst = false) this.#member();
    cursor.expectEnd();
    return this.#scan;
  }

  #reset(): void {
    const scan = this.#scan;
    scan.modelStart = -1;
    scan.modelEnd = -1;
    scan.hasUsage = false;
    scan.nullUsageStart = -1;
    scan.nullUsageEnd = -1;
    scan.hasError = false;
    scan.hasChoices = false;
    scan.hasFinishReason = false;
    scan.visibleSize = 0;
    scan.reasoningSize = 0;
  }

  #member(): void {
    const cursor = this.#cursor;
    if (cursor.keyIs('choices')) this.#choices();
    else if (cursor.keyIs('model')) {
      cursor.peek();
      this.#scan.modelStart = cursor.position;
      cursor.skipValue();
      this.#scan.modelEnd = cursor.position;
    } else if (cursor.keyIs('usage')) {
      if (cursor.skipNull()) this.#nullUsage();
      else {
        this.#scan.hasUsage = true;
        cursor.skipValue();
      }
    } else if (cursor.keyIs('error')) {
      this.#scan.hasError = !cursor.isNull && cursor.peek() !== LOWER_F;
      cursor.skipValue();
    } else cursor.skipValue();
  }

  /** Records where the member is that the cursor is behind. Without a comma on a side it cannot be cut, and stays. */
  #nullUsage(): void {
    const json = this.#json;
    const { position } = this.#cursor;
    const start = json.lastIndexOf(USAGE, position, 'latin1');
    let before = start - 1;
    while ((json[before] ?? 0) <= SPACE && before > 0) before -= 1;
    let after = position;
    while ((json[after] ?? COMMA) <= SPACE) after += 1;
    if (json[before] !== COMMA && json[after] !== COMMA) return;
    this.#scan.nullUsageStart = json[before] === COMMA ? before : start;
    this.#scan.nullUsageEnd = json[before] === COMMA ? position : after + 1;
  }

  #choices(): void {
    const cursor = this.#cursor;
    if (cursor.skipNull()) return;
    cursor.enterArray();
    for (let isFirst = true; cursor.nextElement(isFirst); isFirst = false) {
      this.#scan.hasChoices = true;
      this.#choice();
    }
  }

  #choice(): void {
    const cursor = this.#cursor;
    cursor.enterObject();
    for (let isFirst = true; cursor.nextMember(isFirst); isFirst = false) {
      if (cursor.keyIs('delta')) this.#delta();
      else if (cursor.keyIs('finish_reason')) {
        if (cursor.readNullableString() > 0) this.#scan.hasFinishReason = true;
      } else cursor.skipValue();
    }
  }

  #delta(): void {
    const cursor = this.#cursor;
    const scan = this.#scan;
    if (cursor.skipNull()) return;
    cursor.enterObject();
    for (let isFirst = true; cursor.nextMember(isFirst); isFirst = false) {
      if (cursor.keyIs('content') || cursor.keyIs('refusal')) scan.visibleSize += this.#readSize();
      else if (cursor.keyIs('reasoning_content')) scan.reasoningSize += this.#readSize();
      else if (cursor.keyIs('tool_calls')) this.#toolCalls();
      else cursor.skipValue();
    }
  }

  /** Moves behind the next value, null or a string. Returns its size. */
  #readSize(): number {
    const cursor = this.#cursor;
    cursor.peek();
    const start = cursor.position + 1;
    return cursor.readNullableString() === 0 ? 0 : jsonTextSize(this.#json, start, cursor.position - 1);
  }

  #toolCalls(): void {
    const cursor = this.#cursor;
    if (cursor.skipNull()) return;
    cursor.enterArray();
    for (let isFirst = true; cursor.nextElement(isFirst); isFirst = false) {
      cursor.enterObject();
      for (let isFirstField = true; cursor.nextMember(isFirstField); isFirstField = false) {
        if (cursor.keyIs('function') || cursor.keyIs('custom')) this.#function();
        else cursor.skipValue();
      }
    }
  }

  #function(): void {
    const cursor = this.#cursor;
    if (cursor.skipNull()) return;
    if (!cursor.isObject) throw malformedResponse();
    cursor.enterObject();
    for (let isFirst = true; cursor.nextMember(isFirst); isFirst = false) {
      if (cursor.keyIs('arguments') || cursor.keyIs('name') || cursor.keyIs('input'))
        this.#scan.visibleSize += this.#readSize();
      else cursor.skipValue();
    }
  }
}
