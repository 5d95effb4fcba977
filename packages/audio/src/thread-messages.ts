/** To the thread. Each but `discard` is answered with one `Encoded`, in order. */
export type Order =
  | { readonly kind: 'open'; readonly sound: number; readonly sampleRateHz: number }
  | { readonly kind: 'encode'; readonly sound: number; readonly samples: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'finish'; readonly sound: number }
  | { readonly kind: 'discard'; readonly sound: number };

/** From the thread. */
export type Encoded =
  | { readonly sound: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly sound: number; readonly error: string };
