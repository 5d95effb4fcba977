import type { PromptContents } from './tokens.js';

const DIRECTIVE_MARK = '{{sim';
const JSON_MARK = 'JSON object';

/** What a persona found in a prompt while it read and checked it. */
export class PromptTally implements PromptContents {
  textBytes = 0;
  images = 0;
  audios = 0;
  videos = 0;
  files = 0;
  /** The text of the last user message. */
  lastUserText = '';
  readonly toolResults: string[] = [];
  /** Texts that hold a directive. */
  readonly directed: string[] = [];
  /** A text asks for a JSON object: a model does what it is told. */
  requestsJson = false;

  addText(text: string): void {
    this.textBytes += Buffer.byteLength(text);
    if (text.includes(DIRECTIVE_MARK)) this.directed.push(text);
    if (text.includes(JSON_MARK)) this.requestsJson = true;
  }

  addToolResult(text: string): void {
    this.addText(text);
    this.toolResults.push(text);
  }
}
