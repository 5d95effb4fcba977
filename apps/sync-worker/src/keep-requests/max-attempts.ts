/** Workers that may run one request. It is charged once; a vendor may bill the run of a worker that died. */
export const MAX_ATTEMPTS = 2;
