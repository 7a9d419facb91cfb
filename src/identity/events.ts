/** What happens to accounts. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "user.created": { login: string };
    "user.renamed": { from: string; to: string };
    "user.deleted": { login: string };
  }
}

export {};
