import { estimateTokens, type MessagesSize } from '@gateway/contracts';

const TOKENS_OF_IMAGE = 85;
const TOKENS_OF_FILE = 500;

/** As `estimateInputTokens`, for a request in the native messages format. */
export const estimateMessagesTokens = ({ textBytes, images, files }: MessagesSize): number =>
  estimateTokens(textBytes) + images * TOKENS_OF_IMAGE + files * TOKENS_OF_FILE;
