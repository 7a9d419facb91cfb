import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  conversations: "Conversaciones",
  leftOut: "Lo que las conversaciones omiten",
  hint: "Los comentarios y las revisiones se muestran siempre. Esto es solo para ti.",
  save: "Guardar",
  saved: "Las conversaciones ahora omiten lo que elegiste.",
  "topic-reference": "Referencias desde incidencias, pull requests y commits",
  "topic-label": "Etiquetas",
  "topic-milestone": "Hitos",
  "topic-assignee": "Personas asignadas",
  "topic-title": "Cambios de título",
  "topic-branch": "Cambios de rama",
  "topic-time_tracking": "Tiempo registrado",
  "topic-deadline": "Fechas límite",
  "topic-dependency": "Dependencias",
  "topic-lock": "Bloqueo y desbloqueo",
  "topic-review_request": "Peticiones de revisión",
  "topic-push": "Commits enviados",
  "topic-scheduled_merge": "Fusiones programadas y cola de fusión",
  "topic-project": "Proyectos",
  "topic-pin": "Fijar y soltar",
};
