import { type Static, Type } from "@sinclair/typebox";
import { text, time, whole, yesNo } from "../http/fields.ts";
import { rfc3339 } from "../kernel/clock.ts";
import type { Project } from "./types.ts";

export const ProjectResource = Type.Object(
  {
    id: whole("Number of the project; never used again."),
    title: text("Its title."),
    description: text("Description, as Markdown."),
    owner_id: Type.Optional(whole("The account it belongs to; absent for a repository's board.")),
    repo_id: Type.Optional(whole("The repository it belongs to; absent for an account's board.")),
    creator_id: whole("Number of its creator; 0 if that account was deleted."),
    is_closed: yesNo("Whether it is closed."),
    created_at: time("When it was created."),
    updated_at: time("When it last changed."),
    closed_at: Type.Optional(time("When it was closed; absent while it is open.")),
  },
  { $id: "Project", description: "A project board with issues and pull requests." },
);
export type ProjectResource = Static<typeof ProjectResource>;

export function projectResource(project: Project): ProjectResource {
  const { closedAt, ownerId, repoId } = project;
  return {
    id: project.id,
    title: project.title,
    description: project.description,
    ...(ownerId === undefined ? {} : { owner_id: ownerId }),
    ...(repoId === undefined ? {} : { repo_id: repoId }),
    creator_id: project.creatorId ?? 0,
    is_closed: closedAt !== undefined,
    created_at: rfc3339(project.createdAt),
    updated_at: rfc3339(project.updatedAt),
    ...(closedAt === undefined ? {} : { closed_at: rfc3339(closedAt) }),
  };
}
