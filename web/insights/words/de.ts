import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  activity: "Aktivität",
  pulse: "Überblick",
  contributors: "Mitwirkende",
  "code-frequency": "Codehäufigkeit",
  "recent-commits": "Neueste Commits",
  period: "Zeitraum",
  "last-daily": "1 Tag",
  "last-halfweekly": "3 Tage",
  "last-weekly": "1 Woche",
  "last-monthly": "1 Monat",
  "last-quarterly": "3 Monate",
  "last-semiyearly": "6 Monate",
  "last-yearly": "1 Jahr",
  codeIn: "Commits auf {branch}",
  commitsBy: { one: "{count} Commit von {authors}.", other: "{count} Commits von {authors}." },
  authorCount: { one: "{count} Person", other: "{count} Personen" },
  mergesBesides: { one: "Dazu {count} Merge.", other: "Dazu {count} Merges." },
  counting:
    "Das wird gerade gezählt. Die Seite zeigt es, sobald es da ist; ein langer Verlauf braucht beim ersten Mal Minuten.",
  commitsOverTime: "Commits im Lauf der Zeit, ohne Merges",
  commitsOf: "Commits von {name}",
  commitCount: { one: "{count} Commit", other: "{count} Commits" },
  additions: "Hinzugefügte Zeilen",
  deletions: "Gelöschte Zeilen",
  tooLong: "Bei mehr als 20.000 Commits werden keine Zeilen gezählt.",
  lastYear: {
    one: "{count} Commit im letzten Jahr, ohne Merges",
    other: "{count} Commits im letzten Jahr, ohne Merges",
  },
  commitsAWeek: "Commits pro Woche",
  hours: "Commits des letzten Jahres nach Stunden, nach der Uhr der Autoren",
};
