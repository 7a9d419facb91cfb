import type { WebArea } from "../area.ts";
import { siteWords } from "../words/index.ts";
import { exploreWords } from "./words/index.ts";

export const exploreArea: WebArea = {
  name: "explore",
  routes: async () => (await import("./routes.tsx")).explorePages,
  exploreTabs: [
    { id: "repos", label: exploreWords.label("repositories"), icon: "repo", order: 10, href: "/explore/repos" },
    { id: "users", label: exploreWords.label("users"), icon: "people", order: 20, href: "/explore/users" },
    {
      id: "organizations",
      label: exploreWords.label("organizations"),
      icon: "organization",
      order: 30,
      href: "/explore/organizations",
    },
  ],
  header: [
    {
      id: "explore",
      label: exploreWords.label("explore"),
      icon: "search",
      order: 10,
      place: "start",
      hotkey: "g e",
      href: () => "/explore/repos",
    },
    {
      id: "search",
      label: siteWords.label("search"),
      icon: "search",
      order: 10,
      place: "end",
      hotkey: "/",
      href: () => "/explore/repos",
    },
  ],
};
