/** Events about milestones. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "milestone.created": { milestoneId: number };
    "milestone.edited": { milestoneId: number };
    "milestone.state-changed": { milestoneId: number; isClosed: boolean };
    "milestone.deleted": { milestoneId: number; title: string };
  }
}

export {};
