import { type Static, Type } from "@sinclair/typebox";
import { maybeText, maybeYesNo } from "../http/fields.ts";
import { created } from "../http/respond.ts";
import { type Call, type Route, signedIn, takes } from "../http/route.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import { RepoResource, repoResources } from "../repos/resource.ts";
import type { Services } from "../services.ts";
import { importsRepo } from "./access.ts";
import { importOwner } from "./owner.ts";
import { type ImportRequest, importParts, importServiceNamed } from "./types.ts";

const MigrateBody = Type.Object(
  {
    clone_addr: Type.String({ description: "Where it is: an address of http, https or git." }),
    repo_name: Type.String({ description: "What it is called here." }),
    repo_owner: maybeText("Whose it becomes; the caller's by default."),
    uid: Type.Optional(Type.Integer({ description: "The same by its number; used when repo_owner is empty." })),
    service: maybeText(
      "What kind of server has it: git, which is the default, github, gitlab, gitea, forgejo or gogs.",
    ),
    auth_username: maybeText("Whom to sign in as there.", 1024),
    auth_password: maybeText("With which password.", 1024),
    auth_token: maybeText(
      "With which token; it comes before user name and password. Several have commas between them.",
      4096,
    ),
    aws_access_key_id: maybeText("Not used: of a service that is not asked."),
    aws_secret_access_key: maybeText("Not used: of a service that is not asked."),
    mirror: maybeYesNo("Follow it from then on; then nothing but code, wiki and large files is brought."),
    mirror_interval: maybeText("How often, such as 8h; 0: only when asked to.", 100),
    lfs: maybeYesNo("Bring its large files."),
    lfs_endpoint: maybeText("Where these are; where git LFS looks for them by default."),
    private: maybeYesNo("Show it only to people who are given access."),
    description: maybeText("Short description; that of the source by default.", 2048),
    wiki: maybeYesNo("Bring the wiki."),
    milestones: maybeYesNo("Bring the milestones."),
    labels: maybeYesNo("Bring the labels."),
    issues: maybeYesNo("Bring the issues, with their comments."),
    pull_requests: maybeYesNo("Bring the pull requests, with their comments and reviews."),
    releases: maybeYesNo("Bring the releases, with their files."),
  },
  { $id: "MigrateRepoOptions", description: "A repository to bring in from another server." },
);

/** Bringing repositories in over REST (contract repositories.md 9). */
export function importRoutes(services: Services): Route[] {
  const { imports, repos } = services;

  const migrate = async (call: Call, body: Static<typeof MigrateBody>): Promise<Response> => {
    const request = requestOf(services, call, body);
    // The answer comes when all is there.
    call.keepOpen();
    const made = await imports.begin(call.principal, request);
    await imports.finished(made);
    const repo = repos.byId(made.id) ?? made;
    const { owner } = request;
    const access = repos.accessOf(call.principal, repo, owner);
    return created(repoResources(services, [{ principal: call.principal, repo, owner, access }])[0]);
  };

  return [
    {
      method: "POST",
      path: "/api/v1/repos/migrate",
      surface: "api",
      access: importsRepo,
      doc: {
        id: "repoMigrate",
        tag: "repository",
        summary: "Bring in a repository from another server",
        answers: {
          201: { description: "The repository, with all that was asked for.", schema: RepoResource },
          403: { description: "The caller may not create repositories there, or this is switched off." },
          409: { description: "The name is taken." },
          413: { description: "The owner may store no more." },
          422: {
            description: "A value is not acceptable, or the other server does not give it; nothing is left of it.",
          },
        },
      },
      ...takes(MigrateBody, migrate),
    },
  ];
}

function requestOf(services: Services, call: Call, body: Static<typeof MigrateBody>): ImportRequest {
  if (body.clone_addr.trim() === "")
    throw new ValidationFailed("value.required", { field: "clone_addr", params: { name: "CloneAddr" } });
  const owner = importOwner(services, call.principal, body.repo_owner ?? "", body.uid || signedIn(call).id);
  return {
    owner,
    name: body.repo_name,
    address: body.clone_addr,
    service: importServiceNamed(body.service ?? ""),
    username: body.auth_username ?? "",
    password: body.auth_password ?? "",
    token: body.auth_token ?? "",
    description: body.description ?? "",
    isPrivate: body.private ?? false,
    parts: importParts.filter((part) => body[part]),
    isMirror: body.mirror ?? false,
    interval: body.mirror_interval ?? "",
    lfsEndpoint: body.lfs ? (body.lfs_endpoint?.trim() ?? "") : "",
    isAwaited: true,
  };
}
