import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  star: "Stern geben",
  unstar: "Stern entfernen",
  watch: "Beobachten",
  unwatch: "Nicht mehr beobachten",
  stars: "Sterne",
  stargazers: "Wer einen Stern gegeben hat",
  watchers: "Beobachter",
  noStargazers: "Dieses Repository hat noch keinen Stern",
  noWatchers: "Niemand beobachtet dieses Repository",
  noStars: "Keine Repositorys mit Stern",
};
