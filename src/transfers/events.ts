declare module "../events/types.ts" {
  interface EventPayloads {
    /** The repository waits for the recipient's answer. */
    "repo.transfer-started": { recipientId: number };
    /** The recipient said no, or who started it took it back. */
    "repo.transfer-ended": { recipientId: number };
  }
}

export {};
