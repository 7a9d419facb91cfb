import type { WebArea } from "../area.ts";
import { searchPages } from "./routes.tsx";
import { searchWords } from "./words/index.ts";

export const searchArea: WebArea = {
  routes: searchPages,
  exploreTabs: [{ id: "code", label: searchWords.label("code"), icon: "code", order: 40, href: "/explore/code" }],
};
