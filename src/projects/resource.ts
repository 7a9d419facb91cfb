import { type Static, Type } from "@sinclair/typebox";
import { text, time, whole, yesNo } from "../http/fields.ts";
import { rfc3339 } from "../kernel/clock.ts";
import type { Project } from "./types.ts";

export const ProjectResource = Type.Object(
  {
    id: whole("Number of the project; never used again."),
    title: text("Its title."),
    description: text("What it is for, as Markdown."),
    owner_id: Type.Optional(whole("The account whose it is; absent: a repository's.")),
    repo_id: Type.Optional(whole("The repository whose it is; absent: an account's.")),
    creator_id: whole("Who made it; 0: an account that is gone."),
    is_closed: yesNo("Whether it is closed."),
    created_at: time("When it was made."),
    updated_at: time("When it last changed."),
    closed_at: Type.Optional(time("When it was closed; absent while it is open.")),
  },
  { $id: "Project", description: "A board on which issues and pull requests stand." },
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
