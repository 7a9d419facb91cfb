import type { Access } from "../../src/http/route.ts";
import { anyone } from "../visit.ts";

/** Reading the code of a repository. */
export const readCode: Access = {
  ...anyone,
  scopes: ["repository"],
  subject: { kind: "repository", level: "read", unit: "code" },
};

/** Changing files and refs. For who may only read, these pages do not exist. */
export const writeCode: Access = {
  who: "user",
  scopes: ["repository"],
  publicOnly: "refused",
  subject: { kind: "repository", level: "write", unit: "code", state: "editable" },
};
