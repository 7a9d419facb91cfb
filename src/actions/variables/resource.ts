import { type Static, Type } from "@sinclair/typebox";
import { text, whole } from "../../http/fields.ts";
import type { Variable } from "../types.ts";

export const VariableResource = Type.Object(
  {
    owner_id: whole("Number of the account that the variable belongs to; 0 for a repository's."),
    repo_id: whole("Number of the repository that the variable belongs to; 0 for an account's."),
    name: text("Its name, in upper case."),
    data: text("Its value."),
    description: text("Description."),
  },
  { $id: "ActionVariable", description: "A named value that workflows can use." },
);
export type VariableResource = Static<typeof VariableResource>;

export function variableResource({ description, name, ownerId, repoId, value }: Variable): VariableResource {
  return { owner_id: ownerId ?? 0, repo_id: repoId ?? 0, name, data: value, description };
}
