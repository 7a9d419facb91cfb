import type { WebArea } from "../area.ts";
import { explorePages } from "./routes.tsx";

export const exploreArea: WebArea = {
  routes: explorePages,
  header: [
    {
      id: "explore",
      label: "Explore",
      icon: "search",
      order: 10,
      place: "start",
      hotkey: "g e",
      href: () => "/explore/repos",
    },
    {
      id: "search",
      label: "Search",
      icon: "search",
      order: 10,
      place: "end",
      hotkey: "Ctrl+K",
      href: () => "/explore/repos",
    },
  ],
};
