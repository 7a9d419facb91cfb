import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  star: "Ajouter une étoile",
  unstar: "Retirer l’étoile",
  watch: "Suivre",
  unwatch: "Ne plus suivre",
  stars: "Étoiles",
  stargazers: "Qui a mis une étoile",
  watchers: "Abonnés",
  noStargazers: "Ce dépôt n’a pas encore d’étoile",
  noWatchers: "Personne ne suit ce dépôt",
  noStars: "Aucun dépôt étoilé",
};
