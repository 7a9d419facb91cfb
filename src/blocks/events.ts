/** The envelope's owner is who blocks. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "account.blocked": { userId: number };
    "account.unblocked": { userId: number };
  }
}

export {};
