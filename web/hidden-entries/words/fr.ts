import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  conversations: "Conversations",
  leftOut: "Ce que les conversations laissent de côté",
  hint: "Les commentaires et les revues sont toujours affichés. Ce réglage ne vaut que pour vous.",
  save: "Enregistrer",
  saved: "Les conversations laissent désormais de côté ce que vous avez choisi.",
  "topic-reference": "Références par des tickets, des demandes d’ajout et des commits",
  "topic-label": "Labels",
  "topic-milestone": "Jalons",
  "topic-assignee": "Personnes assignées",
  "topic-title": "Changements de titre",
  "topic-branch": "Changements de branche",
  "topic-time_tracking": "Temps suivi",
  "topic-deadline": "Échéances",
  "topic-dependency": "Dépendances",
  "topic-lock": "Verrouillage et déverrouillage",
  "topic-review_request": "Demandes de revue",
  "topic-push": "Commits poussés",
  "topic-scheduled_merge": "Fusions planifiées et file de fusion",
  "topic-project": "Projets",
  "topic-pin": "Épinglage et désépinglage",
};
