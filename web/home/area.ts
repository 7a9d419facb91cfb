import type { WebArea } from "../area.ts";
import { activityPanel, reposPanel } from "./panels.tsx";

export const homeArea: WebArea = {
  name: "home",
  routes: async () => (await import("./routes.tsx")).homePages,
  dashboard: [activityPanel, reposPanel],
};
