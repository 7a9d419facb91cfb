/** What happens to rules of branches; pull requests to those that match are evaluated again. */
declare module "../events/types.ts" {
  interface EventPayloads {
    /** `name` is the rule's; empty: the order of all. */
    "branch-protections.changed": { name: string };
  }
}

export {};
