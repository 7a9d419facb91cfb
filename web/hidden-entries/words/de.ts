import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  conversations: "Unterhaltungen",
  leftOut: "Was in Unterhaltungen weggelassen wird",
  hint: "Kommentare und Reviews werden immer gezeigt. Das gilt nur für dich.",
  save: "Speichern",
  saved: "Unterhaltungen lassen jetzt weg, was du gewählt hast.",
  "topic-reference": "Verweise von Issues, Pull Requests und Commits",
  "topic-label": "Labels",
  "topic-milestone": "Meilensteine",
  "topic-assignee": "Zuständige",
  "topic-title": "Änderungen von Titeln",
  "topic-branch": "Änderungen von Branches",
  "topic-time_tracking": "Erfasste Zeit",
  "topic-deadline": "Fälligkeiten",
  "topic-dependency": "Abhängigkeiten",
  "topic-lock": "Sperren und Entsperren",
  "topic-review_request": "Anfragen für Reviews",
  "topic-push": "Gepushte Commits",
  "topic-scheduled_merge": "Geplante Merges und die Merge-Warteschlange",
  "topic-project": "Projekte",
  "topic-pin": "Anheften und Lösen",
};
