import type { WebArea } from "../area.ts";
import { hiddenEntriesPanel } from "./panel.tsx";

/** Which entries are hidden from an account's conversations. */
export const hiddenEntriesArea: WebArea = {
  name: "hidden-entries",
  routes: async () => (await import("./routes.ts")).hiddenEntriesPages,
  settingsPanels: [hiddenEntriesPanel],
};
