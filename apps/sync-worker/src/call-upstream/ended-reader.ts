import { ReaderOver, type StreamReader } from '@gateway/upstreams';

const EMPTY = new Uint8Array();

/** A reader whose last bytes have been taken: a second `end` would write them again. */
export class EndedReader extends ReaderOver {
  read(): Uint8Array {
    return EMPTY;
  }

  end(): Uint8Array {
    return EMPTY;
  }

  get fail(): StreamReader['fail'] {
    return this.inner.fail;
  }
}
