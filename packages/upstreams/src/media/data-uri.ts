export { isHttpUrl, parseDataUri, toDataUri } from '@gateway/contracts';
