/** The envelope's owner is the blocker. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "account.blocked": { userId: number };
    "account.unblocked": { userId: number };
  }
}

export {};
