import type { WebArea } from "../area.ts";
import { offersPanel } from "./panel.tsx";

export const transfersArea: WebArea = {
  name: "transfers",
  routes: async () => (await import("./routes.ts")).transferPages,
  dashboard: [offersPanel],
};
