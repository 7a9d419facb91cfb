import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  notifications: "Notifications",
  unread: "Non lues",
  read: "Lues",
  watching: "Suivis",
  pinned: "Épinglées",
  pin: "Épingler",
  markRead: "Marquer comme lue",
  markUnread: "Marquer comme non lue",
  markAllRead: "Tout marquer comme lu",
  noUnread: "Aucune notification non lue.",
  noUnreadHint: "Suivez un dépôt ou participez à un ticket pour savoir ce qui s’y passe.",
  noRead: "Aucune notification lue.",
  watchesNothing: "Vous ne suivez aucun dépôt",
  watchesNothingHint: "Le bouton Suivre à côté du nom d’un dépôt amène ici ses nouvelles.",
  "reason-watching": "vous suivez",
  "reason-participating": "vous avez participé",
  "reason-author": "vous l’avez ouvert",
  "reason-offered": "proposé à vous",
  "reason-assigned": "vous est assigné",
  "reason-review-requested": "votre relecture est demandée",
  "reason-mentioned": "vous êtes mentionné",
};
