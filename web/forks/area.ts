import type { WebArea } from "../area.ts";
import { forkButtons } from "./buttons.ts";

export const forksArea: WebArea = {
  name: "forks",
  routes: async () => (await import("./routes.tsx")).forkPages,
  repoActions: forkButtons,
};
