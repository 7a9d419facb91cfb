/** What happens to boards; those of an account have no repository. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "project.created": { projectId: number };
    /** Its texts, its columns, or whether it is closed. */
    "project.edited": { projectId: number };
    "project.deleted": { projectId: number; title: string };
    "project.cards-moved": { projectId: number; issueIds: number[] };
  }
}

export type ProjectEvent = "project.created" | "project.edited";
