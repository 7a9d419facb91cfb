/** Events about accounts. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "user.created": { login: string };
    "user.renamed": { from: string; to: string };
    "user.deleted": { login: string };
    /** Ids of sign-in sources; 0 is none. */
    "user.source-changed": { userId: number; from: number; to: number };
  }
}

export {};
