/** Events about labels; those of an organization's label have no repository. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "label.created": { labelId: number };
    "label.edited": { labelId: number };
    "label.deleted": { labelId: number; name: string };
  }
}

export type LabelEvent = "label.created" | "label.edited";
