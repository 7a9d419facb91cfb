import type { Words } from "../../../src/language/catalogue.ts";
import type { en } from "./en.ts";

export const es: Words<typeof en> = {
  actions: "Actions",
  secrets: "Secretos",
  variables: "Variables",
  name: "Nombre",
  nameHint: "Letras, cifras y guiones bajos; se guarda en mayúsculas.",
  value: "Valor",
  description: "Descripción",
  edit: "Editar",
  delete: "Eliminar",
  deleteTitle: "¿Eliminar {name}?",
  deleteHint: "Los flujos de trabajo que lo usen no encontrarán nada con este nombre.",
  aboutSecrets:
    "Valores que usan los flujos de trabajo y que no se vuelven a mostrar a nadie: claves, tokens, contraseñas.",
  noSecrets: "No hay secretos",
  putSecret: "Añadir o reemplazar un secreto",
  saveSecret: "Guardar secreto",
  secretValueHint: "Se cifra y no se vuelve a mostrar.",
  secretSaved: "El secreto se ha guardado.",
  secretDeleted: "El secreto se ha eliminado.",
  set: "Establecido {time}",
  aboutVariables: "Valores que usan los flujos de trabajo y que no son secretos.",
  aboutSiteVariables:
    "Valores que usan los flujos de trabajo de todos los repositorios. Una variable del mismo nombre del propietario o del repositorio tiene prioridad.",
  noVariables: "No hay variables",
  addVariable: "Añadir variable",
  saveVariable: "Guardar variable",
  variableValueHint: "Quien pueda gestionar estos ajustes puede leerlo.",
  variableAdded: "La variable se ha añadido.",
  variableSaved: "La variable se ha guardado.",
  variableDeleted: "La variable se ha eliminado.",
  "actions.bad-name":
    "Usa letras, cifras y guiones bajos, sin una cifra al principio, y ni CI ni un nombre que empiece por GITEA_ o GITHUB_.",
  "actions.value-too-long": "Como máximo {max} caracteres.",
  "actions.too-many": "No puede haber más de {max} aquí.",
  "actions.no-such-secret": "Ese secreto no existe.",
  "actions.no-such-variable": "Esa variable no existe.",
  "actions.variable-exists": "Ya hay una variable con este nombre.",
};
