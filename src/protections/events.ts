/** Events about branch and tag rules; pull requests to matching branches are evaluated again. */
declare module "../events/types.ts" {
  interface EventPayloads {
    /** `name`: the rule's; empty if the order of the rules changed. */
    "branch-protections.changed": { name: string };
    "tag-protections.changed": { pattern: string };
  }
}

export {};
