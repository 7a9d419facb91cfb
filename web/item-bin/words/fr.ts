import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const fr: Words<typeof en> = {
  deletedItems: "Tickets supprimés",
  about: {
    one: "Les tickets, demandes d’intégration et commentaires supprimés peuvent être restaurés pendant {count} jour, avec tout ce qui en faisait partie.",
    other:
      "Les tickets, demandes d’intégration et commentaires supprimés peuvent être restaurés pendant {count} jours, avec tout ce qui en faisait partie.",
  },
  isOff: "Les tickets et commentaires supprimés disparaissent aussitôt.",
  isEmpty: "Rien n’a été supprimé récemment",
  commentOn: "Commentaire sur #{number} {title}",
  deletedBy: "supprimé {time} par {name}",
  deletedAt: "supprimé {time}",
  goesAt: "disparaît définitivement {time}",
  restore: "Restaurer",
  deleteForGood: "Supprimer définitivement",
  purgeWarning: "{name} et tout ce qui en fait partie sont supprimés définitivement.",
  purged: "La suppression est définitive.",
  restored: "#{number} a été restauré.",
  commentRestored: "Le commentaire a été restauré.",
  undo: "Annuler",
  itemDeleted: "#{number} a été supprimé.",
  commentDeleted: "Le commentaire a été supprimé.",
  "issue.not-restorable": "Restauration impossible : un élément indispensable a disparu.",
};
