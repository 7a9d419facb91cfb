import type { WebArea } from "../area.ts";
import { importState } from "./state.tsx";

/** Repositories from other servers: asking for one, and how far it is. */
export const importsArea: WebArea = {
  name: "imports",
  routes: async () => (await import("./routes.tsx")).importPages,
  repoStates: [importState],
};
