/** The largest body of requests about accounts, in bytes: names, addresses and settings are small. */
export const BODY_LIMIT = 1 << 20;
