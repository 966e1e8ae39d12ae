/** Matches the host name, and the port if there is one, of an address that only this machine can reach. */
export const loopbackHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;
