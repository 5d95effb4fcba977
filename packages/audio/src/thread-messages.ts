/** A message to the thread. It responds to each kind except `discard` with one `ThreadResponse`, in order. */
export type ThreadRequest =
  | { readonly kind: 'open'; readonly streamId: number; readonly sampleRateHz: number }
  | { readonly kind: 'encode'; readonly streamId: number; readonly samples: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'finish'; readonly streamId: number }
  | { readonly kind: 'discard'; readonly streamId: number };

export type ThreadResponse =
  | { readonly streamId: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly streamId: number; readonly error: string };
