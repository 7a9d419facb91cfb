import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  activity: "Activité",
  pulse: "Aperçu",
  contributors: "Contributeurs",
  "code-frequency": "Fréquence du code",
  "recent-commits": "Commits récents",
  period: "Période",
  "last-daily": "1 jour",
  "last-halfweekly": "3 jours",
  "last-weekly": "1 semaine",
  "last-monthly": "1 mois",
  "last-quarterly": "3 mois",
  "last-semiyearly": "6 mois",
  "last-yearly": "1 an",
  codeIn: "Commits sur {branch}",
  commitsBy: { one: "{count} commit de {authors}.", other: "{count} commits de {authors}." },
  authorCount: { one: "{count} personne", other: "{count} personnes" },
  mergesBesides: { one: "Plus {count} fusion.", other: "Plus {count} fusions." },
  counting:
    "Le calcul est en cours. La page l’affichera dès qu’il sera prêt ; un long historique demande plusieurs minutes la première fois.",
  commitsOverTime: "Commits au fil du temps, sans les fusions",
  commitsOf: "Commits de {name}",
  commitCount: { one: "{count} commit", other: "{count} commits" },
  additions: "Lignes ajoutées",
  deletions: "Lignes supprimées",
  tooLong: "Les lignes ne sont pas comptées au-delà de 20 000 commits.",
  lastYear: {
    one: "{count} commit au cours de la dernière année, sans les fusions",
    other: "{count} commits au cours de la dernière année, sans les fusions",
  },
  commitsAWeek: "Commits par semaine",
  hours: "Commits de la dernière année par heure, à l’heure de leurs auteurs",
};
