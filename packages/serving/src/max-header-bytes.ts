/** Official clients send about 1 KiB of headers, and proxies add cookies and traces. Each byte is parsed before any check. */
export const MAX_HEADER_BYTES = 8 * 1024;
