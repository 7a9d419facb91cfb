import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  notifications: "Notificaciones",
  unread: "Sin leer",
  read: "Leídas",
  watching: "Seguidos",
  pinned: "Fijadas",
  pin: "Fijar",
  markRead: "Marcar como leída",
  markUnread: "Marcar como no leída",
  markAllRead: "Marcar todas como leídas",
  noUnread: "No hay notificaciones sin leer.",
  noUnreadHint: "Sigue un repositorio o participa en una incidencia para enterarte de lo que ocurre allí.",
  noRead: "No hay notificaciones leídas.",
  watchesNothing: "No sigues ningún repositorio",
  watchesNothingHint: "El botón Seguir junto al nombre de un repositorio trae aquí sus novedades.",
  "reason-watching": "lo sigues",
  "reason-participating": "has participado",
  "reason-author": "lo abriste tú",
  "reason-offered": "se te ofrece",
  "reason-assigned": "asignado a ti",
  "reason-review-requested": "se pide tu revisión",
  "reason-mentioned": "te han mencionado",
};
