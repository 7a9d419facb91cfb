import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const de: Words<typeof en> = {
  notifications: "Benachrichtigungen",
  unread: "Ungelesen",
  read: "Gelesen",
  watching: "Beobachtet",
  pinned: "Angeheftet",
  pin: "Anheften",
  markRead: "Als gelesen markieren",
  markUnread: "Als ungelesen markieren",
  markAllRead: "Alle als gelesen markieren",
  noUnread: "Keine ungelesenen Benachrichtigungen.",
  noUnreadHint: "Beobachte ein Repository oder beteilige dich an einem Issue, um zu erfahren, was dort geschieht.",
  noRead: "Keine gelesenen Benachrichtigungen.",
  watchesNothing: "Du beobachtest keine Repositorys",
  watchesNothingHint:
    "Die Schaltfläche „Beobachten“ neben dem Namen eines Repositorys bringt seine Neuigkeiten hierher.",
  "reason-watching": "du beobachtest es",
  "reason-participating": "du hast dich beteiligt",
  "reason-author": "von dir eröffnet",
  "reason-offered": "dir angeboten",
  "reason-assigned": "dir zugewiesen",
  "reason-review-requested": "dein Review ist erwünscht",
  "reason-mentioned": "du wurdest erwähnt",
};
