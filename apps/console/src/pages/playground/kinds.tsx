import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ComponentType } from 'react';
import type { Model } from '../../api/models.js';
import type { KeyWanted } from './bench/playground-key.js';
import { Workbench } from './bench/workbench.jsx';
import { CHAT } from './chat/chat-kind.js';
import type { DialectId } from './chat/conversation.js';
import type { Prompt } from './chat/prompt-of.js';
import { EDITS } from './media/edits-kind.jsx';
import { IMAGES } from './media/images-kind.jsx';
import { SPEECH } from './media/speech-kind.jsx';
import { TRANSCRIPTION } from './media/transcription-kind.jsx';
import { EMBEDDINGS } from './text/embeddings-kind.jsx';
import { RERANK } from './text/rerank-kind.jsx';
import { VIDEO } from './video/video-kind.jsx';

export interface BenchProps {
  readonly models: readonly Model[];
  readonly wanted: KeyWanted;
  /** The client format of a request that is tried again. */
  readonly dialect?: DialectId | undefined;
  /** Its prompt, if its key kept it. */
  readonly prompt?: Prompt | undefined;
}

interface KindRow {
  readonly label: MessageDescriptor;
  readonly serves: (model: Model) => boolean;
  readonly Bench: ComponentType<BenchProps>;
}

const has = (capability: keyof Model['capabilities']) => (model: Model) => model.capabilities[capability] !== undefined;
const takesAudio = ({ capabilities: { chat } }: Model): boolean => chat?.inputs.includes('audio') === true;

/** Every kind of model, in the order of the page. */
export const KINDS = {
  chat: {
    label: msg`Chat`,
    serves: has('chat'),
    Bench: ({ dialect, prompt, ...props }) => (
      <Workbench kind={CHAT} {...props} given={{ ...(dialect !== undefined && { dialect }), ...prompt }} />
    ),
  },
  images: { label: msg`Images`, serves: has('images'), Bench: (props) => <Workbench kind={IMAGES} {...props} /> },
  edits: { label: msg`Edit images`, serves: has('edits'), Bench: (props) => <Workbench kind={EDITS} {...props} /> },
  video: { label: msg`Videos`, serves: has('video'), Bench: (props) => <Workbench kind={VIDEO} {...props} /> },
  speech: { label: msg`Speech`, serves: has('speech'), Bench: (props) => <Workbench kind={SPEECH} {...props} /> },
  transcription: {
    label: msg`Transcripts`,
    serves: takesAudio,
    Bench: (props) => <Workbench kind={TRANSCRIPTION} {...props} />,
  },
  embeddings: {
    label: msg`Embeddings`,
    serves: has('embeddings'),
    Bench: (props) => <Workbench kind={EMBEDDINGS} {...props} />,
  },
  rerank: { label: msg`Rerank`, serves: has('rerank'), Bench: (props) => <Workbench kind={RERANK} {...props} /> },
} as const satisfies Record<string, KindRow>;

export type KindId = keyof typeof KINDS;

export const KIND_IDS = Object.keys(KINDS) as readonly KindId[];
