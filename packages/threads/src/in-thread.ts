import { type ErrorRecord, isGatewayError } from '@gateway/contracts';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { bytesIn } from './bytes-in.js';
import { garbageCollector } from './collect-garbage.js';

/** What a thread sends back: structured clone would strip an error of its code. */
export type ThreadReply<Output> = { readonly output: Output } | { readonly refused: ErrorRecord };

/**
 * Makes a handler that runs in a thread. `bytesOf` lists the memory that the output gives away instead of copying it. An
 * error of the gateway reaches the caller with its code; any other error is a fault.
 */
export const inThread =
  <Input, Output>(handler: (input: Input) => Output, bytesOf: (output: Output) => readonly ArrayBuffer[] = () => []) =>
  (input: Input): unknown => {
    const inputBytes = bytesIn(input);
    const reply = run(handler, input);
    const transferred = 'output' in reply ? bytesOf(reply.output) : [];
    const outputBytes = transferred.reduce((sum, { byteLength }) => sum + byteLength, 0);
    collect(Math.max(inputBytes, outputBytes));
    return transferred.length === 0 ? reply : move(new Transferred(reply, transferred));
  };

/** Of this thread. */
const collect = garbageCollector();

function run<Input, Output>(handler: (input: Input) => Output, input: Input): ThreadReply<Output> {
  try {
    return { output: handler(input) };
  } catch (error) {
    if (isGatewayError(error)) return { refused: error.toRecord() };
    throw error;
  }
}

/** A value whose memory moves to the caller's thread. */
class Transferred {
  constructor(
    private readonly value: object,
    private readonly memory: readonly ArrayBuffer[],
  ) {}

  get [transferableSymbol](): object {
    return this.memory;
  }

  get [valueSymbol](): object {
    return this.value;
  }
}
