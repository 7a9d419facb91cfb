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
    clone_addr: Type.String({ description: "Address to clone from, with the scheme http, https or git." }),
    repo_name: Type.String({ description: "Name of the new repository." }),
    repo_owner: maybeText("Name of its owner; the caller by default."),
    uid: Type.Optional(Type.Integer({ description: "Number of its owner; used when repo_owner is empty." })),
    service: maybeText("Type of the source server: git (the default), github, gitlab, gitea, forgejo or gogs."),
    auth_username: maybeText("User name for the remote.", 1024),
    auth_password: maybeText("The password.", 1024),
    auth_token: maybeText(
      "Token for the source, or several separated by commas; takes precedence over user name and password.",
      4096,
    ),
    aws_access_key_id: maybeText("Not used; for a service that is not supported."),
    aws_secret_access_key: maybeText("Not used; for a service that is not supported."),
    mirror: maybeYesNo("Keep it as a mirror; only code, wiki and large files are imported then."),
    mirror_interval: maybeText("Sync interval, such as 8h; 0 to sync only on request.", 100),
    lfs: maybeYesNo("Import large files (git LFS)."),
    lfs_endpoint: maybeText("Address of the LFS server; by default where git LFS would look for it."),
    private: maybeYesNo("Whether only people with access can see it."),
    description: maybeText("Short description; the source's by default.", 2048),
    wiki: maybeYesNo("Import the wiki."),
    milestones: maybeYesNo("Import the milestones."),
    labels: maybeYesNo("Import the labels."),
    issues: maybeYesNo("Import the issues and their comments."),
    pull_requests: maybeYesNo("Import the pull requests with their comments and reviews."),
    releases: maybeYesNo("Import the releases and their files."),
  },
  { $id: "MigrateRepoOptions", description: "A repository to import from another server." },
);

/** Imports over REST (contract repositories.md 9). */
export function importRoutes(services: Services): Route[] {
  const { imports, repos } = services;

  const migrate = async (call: Call, body: Static<typeof MigrateBody>): Promise<Response> => {
    const request = requestOf(services, call, body);
    // Responds when the import is complete.
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
        summary: "Import a repository from another server",
        answers: {
          201: { description: "The repository, with everything that was requested.", schema: RepoResource },
          403: { description: "The caller may not create repositories there, or imports are disabled." },
          409: { description: "The name is taken." },
          413: { description: "The owner has reached their storage limit." },
          422: {
            description: "A value is invalid, or the other server refused; nothing was created.",
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
