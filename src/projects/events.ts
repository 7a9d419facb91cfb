/** Events about boards; those of an account's board have no repository. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "project.created": { projectId: number };
    /** Its texts or columns changed, or it was closed or reopened. */
    "project.edited": { projectId: number };
    "project.deleted": { projectId: number; title: string };
    "project.cards-moved": { projectId: number; issueIds: number[] };
  }
}

export type ProjectEvent = "project.created" | "project.edited";
