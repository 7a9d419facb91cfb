import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  star: "Star",
  unstar: "Unstar",
  watch: "Watch",
  unwatch: "Unwatch",
  stars: "Stars",
  stargazers: "Stargazers",
  watchers: "Watchers",
  noStargazers: "No one has starred this repository yet",
  noWatchers: "No one watches this repository",
  noStars: "No starred repositories",
} as const satisfies Messages;
