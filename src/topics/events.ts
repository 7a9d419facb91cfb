declare module "../events/types.ts" {
  interface EventPayloads {
    /** The topics the repository now has, sorted. */
    "repo.topics-changed": { topics: string[] };
  }
}

export {};
