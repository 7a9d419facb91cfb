/** What happens to rules of branches; pull requests to those that match look at themselves anew. */
declare module "../events/types.ts" {
  interface EventPayloads {
    /** `name` is the rule's; empty: the order of all. */
    "branch-protections.changed": { name: string };
  }
}

export {};
