declare module "../events/types.ts" {
  interface EventPayloads {
    /** The topics a repository has from now on, sorted. */
    "repo.topics-changed": { topics: string[] };
  }
}

export {};
