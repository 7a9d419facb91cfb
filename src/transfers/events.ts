declare module "../events/types.ts" {
  interface EventPayloads {
    /** A transfer awaits the recipient's answer. */
    "repo.transfer-started": { recipientId: number };
    /** The recipient rejected it, or it was cancelled. */
    "repo.transfer-ended": { recipientId: number };
  }
}

export {};
