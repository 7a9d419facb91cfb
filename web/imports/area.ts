import type { WebArea } from "../area.ts";
import { importState } from "./state.tsx";

/** Imports repositories from other servers, and shows their progress. */
export const importsArea: WebArea = {
  name: "imports",
  routes: async () => (await import("./routes.tsx")).importPages,
  repoStates: [importState],
};
