import type { WebArea } from "../area.ts";
import { hiddenEntriesPanel } from "./panel.tsx";

/** What an account's conversations leave out. */
export const hiddenEntriesArea: WebArea = {
  name: "hidden-entries",
  routes: async () => (await import("./routes.ts")).hiddenEntriesPages,
  settingsPanels: [hiddenEntriesPanel],
};
