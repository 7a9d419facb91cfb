import type { AuditAction, AuditActions } from "../audit/actions.ts";
import type { AuditService } from "../audit/service.ts";
import type { Outbox } from "../events/outbox.ts";
import type { EventContext } from "../events/types.ts";
import type { IdentityService } from "../identity/service.ts";
import type { TeamService } from "../organizations/teams/service.ts";
import type { RepoService } from "../repos/service.ts";

export interface AuditedParts {
  readonly outbox: Outbox;
  readonly audit: AuditService;
  readonly identity: IdentityService;
  readonly repos: RepoService;
  readonly teams: TeamService;
}

/**
 * Events that also belong in the security audit log: changes of permissions. They are recorded for the account or
 * organization concerned, in the same transaction.
 */
export function recordAuditedEvents({ outbox, audit, identity, repos, teams }: AuditedParts): void {
  const loginOf = (id: number | undefined) => (id === undefined ? undefined : identity.byId(id)?.login) ?? "";
  const record = <Action extends AuditAction>(
    { ownerId, principal }: EventContext,
    action: Action,
    details: AuditActions[Action],
    login = loginOf(ownerId),
  ) => {
    const { userId, via = "operator", address } = principal ?? {};
    const by = { user: userId === undefined ? undefined : identity.byId(userId), via, address };
    audit.append(by, action, { id: ownerId, login }, details);
  };
  const repoOf = ({ repoId, ownerId }: EventContext) =>
    `${loginOf(ownerId)}/${(repoId === undefined ? undefined : repos.byId(repoId)?.name) ?? ""}`;
  const teamOf = (teamId: number) => teams.byIds([teamId])[0]?.name ?? "";

  for (const kind of ["added", "removed"] as const)
    outbox.react(`key.${kind}`, (context, { sort, name }) => {
      if (sort === "deploy") record(context, `deploy-key-${kind}`, { name, repo: repoOf(context) });
      else record(context, `key-${kind}`, { name, sort });
    });
  outbox.react("key.verified", (context, { sort, name }) => record(context, "key-verified", { name, sort }));

  // Accounts of people are recorded by their own service.
  const isOrganization = ({ ownerId }: EventContext) =>
    ownerId !== undefined && identity.byId(ownerId)?.kind === "organization";
  outbox.react("user.created", (context) => {
    if (isOrganization(context)) record(context, "account-created", {});
  });
  outbox.react("user.renamed", (context, { from, to }) => {
    if (isOrganization(context)) record(context, "account-renamed", { from, to });
  });
  outbox.react("user.deleted", (context, { login }) => {
    if (isOrganization(context)) record(context, "account-deleted", {}, login);
  });
  outbox.react("organization.member-removed", (context, { userId }) =>
    record(context, "organization-member-removed", { name: loginOf(userId) }),
  );

  outbox.react("team.created", (context, { name }) => record(context, "team-created", { team: name }));
  outbox.react("team.edited", (context, { teamId }) => record(context, "team-edited", { team: teamOf(teamId) }));
  outbox.react("team.deleted", (context, { name }) => record(context, "team-deleted", { team: name }));
  for (const kind of ["added", "removed"] as const) {
    outbox.react(`team.member-${kind}`, (context, { teamId, userId }) =>
      record(context, `team-member-${kind}`, { team: teamOf(teamId), name: loginOf(userId) }),
    );
    outbox.react(`team.repository-${kind}`, (context, { teamId }) =>
      record(context, `team-repository-${kind}`, { team: teamOf(teamId), repo: repoOf(context) }),
    );
  }

  outbox.react("collaborator.added", (context, { userId, level }) =>
    record(context, "collaborator-added", { repo: repoOf(context), name: loginOf(userId), level }),
  );
  outbox.react("collaborator.removed", (context, { userId }) =>
    record(context, "collaborator-removed", { repo: repoOf(context), name: loginOf(userId) }),
  );
  outbox.react("repo.deleted", (context, { name, ownerId }) => {
    const login = loginOf(ownerId);
    record({ ...context, ownerId }, "repository-deleted", { repo: `${login}/${name}` }, login);
  });
  outbox.react("repo.hidden", (context) => record(context, "repository-hidden", { repo: repoOf(context) }));
  outbox.react("repo.transferred", (context, { fromId, from }) => {
    const details = { from, to: repoOf(context) };
    record(context, "repository-transferred", details);
    if (identity.byId(fromId)) record({ ...context, ownerId: fromId }, "repository-transferred", details);
  });
  outbox.react("repo.transfer-started", (context, { recipientId }) =>
    record(context, "transfer-started", { repo: repoOf(context), name: loginOf(recipientId) }),
  );
  outbox.react("repo.transfer-ended", (context, { recipientId }) =>
    record(context, "transfer-ended", { repo: repoOf(context), name: loginOf(recipientId) }),
  );
  outbox.react("branch-protections.changed", (context, { name }) =>
    record(context, "branch-protection-changed", { repo: repoOf(context), name }),
  );
  outbox.react("tag-protections.changed", (context, { pattern }) =>
    record(context, "tag-protection-changed", { repo: repoOf(context), name: pattern }),
  );
}
