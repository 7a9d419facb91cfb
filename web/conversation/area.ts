import type { WebArea } from "../area.ts";

/** The page of one issue or pull request: what was said and done, and the form of a new one. */
export const conversationArea: WebArea = {
  name: "conversation",
  routes: async () => (await import("./routes.tsx")).conversationPages,
};
