export { parseDataUri, toDataUri } from '@gateway/contracts';
