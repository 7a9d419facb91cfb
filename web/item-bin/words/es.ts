import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  deletedItems: "Incidencias eliminadas",
  about: {
    one: "Las incidencias, pull requests y comentarios eliminados se pueden restaurar durante {count} día, con todo lo que les pertenecía.",
    other:
      "Las incidencias, pull requests y comentarios eliminados se pueden restaurar durante {count} días, con todo lo que les pertenecía.",
  },
  isOff: "Las incidencias y los comentarios eliminados desaparecen de inmediato.",
  isEmpty: "No se ha eliminado nada últimamente",
  commentOn: "Comentario en #{number} {title}",
  deletedBy: "eliminado {time} por {name}",
  deletedAt: "eliminado {time}",
  goesAt: "desaparece para siempre {time}",
  restore: "Restaurar",
  deleteForGood: "Eliminar para siempre",
  purgeWarning: "{name} y todo lo que le pertenece se eliminan para siempre.",
  purged: "Se eliminó para siempre.",
  restored: "Se restauró #{number}.",
  commentRestored: "Se restauró el comentario.",
  undo: "Deshacer",
  itemDeleted: "Se eliminó #{number}.",
  commentDeleted: "Se eliminó el comentario.",
  "issue.not-restorable": "No se puede restaurar: falta algo imprescindible.",
};
