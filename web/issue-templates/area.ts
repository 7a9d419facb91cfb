import type { WebArea } from "../area.ts";

export const issueTemplatesArea: WebArea = {
  name: "issue-templates",
  routes: async () => (await import("./routes.tsx")).templatePages,
};
