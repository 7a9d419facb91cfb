import type { WebArea } from "../area.ts";
import { searchWords } from "./words/index.ts";

export const searchArea: WebArea = {
  name: "search",
  routes: async () => (await import("./routes.tsx")).searchPages,
  exploreTabs: [{ id: "code", label: searchWords.label("code"), icon: "code", order: 40, href: "/explore/code" }],
};
