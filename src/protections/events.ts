/** What happens to rules of branches and tags; pull requests to branches that match are evaluated again. */
declare module "../events/types.ts" {
  interface EventPayloads {
    /** `name` is the rule's; empty: the order of all. */
    "branch-protections.changed": { name: string };
    "tag-protections.changed": { pattern: string };
  }
}

export {};
