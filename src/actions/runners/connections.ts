import { anonymous } from "../../access/principal.ts";
import type { AuditedAccount, AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, Unauthorised, ValidationFailed } from "../../kernel/errors.ts";
import { equalSecrets, randomHex, sha256Hex } from "../../kernel/ids.ts";
import type { RepoService } from "../../repos/service.ts";
import type { HomeKey, Runner } from "../types.ts";
import { MAX_RUNNERS } from "../values.ts";
import * as store from "./store.ts";

export interface ConnectionParts {
  readonly audit: AuditService;
  readonly clock: Clock;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly repos: RepoService;
}

/** What a runner reports about itself when it registers. */
export interface Registration {
  readonly name: string;
  readonly token: string;
  readonly version: string;
  readonly labels: readonly string[];
  readonly isEphemeral: boolean;
  readonly capabilities: readonly string[];
}

/** Minimum interval between writes of a runner's last call: it calls every two seconds. */
const ONLINE_STEP_MS = 20_000;
const MAX_TEXT = 255;
const MAX_LABELS = 100;

/** Serves the calls of runners, which authenticate with their own token, not as an account (contract actions.md 6). */
export class RunnerConnections {
  constructor(private readonly parts: ConnectionParts) {}

  /**
   * @param address the address it called from
   * @returns the runner and its authentication token, which is shown only here
   * @throws BadRequest if its token or name is missing; Unauthorised if the token is unknown or no longer in use;
   *   ValidationFailed if there are too many runners
   */
  register(
    { capabilities, isEphemeral, labels, name, token, version }: Registration,
    address: string,
  ): { readonly runner: Runner; readonly token: string } {
    if (token === "" || name === "") throw new BadRequest("actions.runner-incomplete");
    const { audit, clock, db } = this.parts;
    return db.transaction(() => {
      const { ownerId, repoId } = this.homeOf(token);
      const home = { ownerId, repoId };
      if (store.countRunners(db, home) >= MAX_RUNNERS)
        throw new ValidationFailed("actions.too-many", { params: { max: MAX_RUNNERS } });
      const secret = randomHex(20);
      const uuid = crypto.randomUUID();
      store.insertRunner(
        db,
        {
          ...home,
          uuid,
          name: shortened(name),
          version: shortened(version),
          labels: labelsOf(labels),
          tokenHash: sha256Hex(secret),
          isEphemeral,
          canCancel: capabilities.includes("cancelling"),
        },
        clock(),
      );
      const made = store.runnerByUuid(db, uuid);
      if (!made) throw new Error("an inserted runner is there");
      const { account, place } = this.recordOf(home);
      audit.append({ ...anonymous, address }, "actions-runner-registered", account, { name: made.runner.name, place });
      return { runner: made.runner, token: secret };
    });
  }

  /** Identifies the caller and records the call. @throws Unauthorised for an unknown runner or a wrong token */
  authenticate(uuid: string, token: string): Runner {
    const { clock, db } = this.parts;
    const found = store.runnerByUuid(db, uuid);
    if (!found || !equalSecrets(found.tokenHash, sha256Hex(token)) || !this.isThere(found.runner))
      throw new Unauthorised("actions.unregistered-runner");
    const { runner } = found;
    const now = clock();
    if (runner.lastOnlineAt === undefined || now - runner.lastOnlineAt > ONLINE_STEP_MS)
      store.setOnline(db, runner.id, now);
    return runner;
  }

  /** Stores what a runner reports at each start, replacing what it reported before. */
  declare(
    runner: Runner,
    said: { readonly version: string; readonly labels: readonly string[]; readonly capabilities: readonly string[] },
  ): Runner {
    const [version, labels] = [shortened(said.version), labelsOf(said.labels)];
    const canCancel = said.capabilities.includes("cancelling");
    store.updateDeclared(this.parts.db, runner.id, { version, labels, canCancel });
    return { ...runner, version, labels };
  }

  /** A number by which a runner can tell whether anything changed since it last asked; never 0. */
  taskVersion(runner: Runner): number {
    return store.taskVersion(this.parts.db, runner);
  }

  private homeOf(token: string): HomeKey {
    const found = store.findToken(this.parts.db, sha256Hex(token));
    if (!found) throw new Unauthorised("actions.registration-token-unknown");
    if (!found.isActive) throw new Unauthorised("actions.registration-token-reset");
    if (!this.isThere(found))
      throw new BadRequest(found.repoId === undefined ? "actions.owner-gone" : "actions.repository-gone");
    return found;
  }

  /** The audit log account of a registration, and the place named in the entry. */
  private recordOf({ ownerId, repoId }: HomeKey): { readonly account: AuditedAccount; readonly place: string } {
    const { identity, repos } = this.parts;
    const repo = repoId === undefined ? undefined : repos.byId(repoId);
    const owner = identity.byId(repo?.ownerId ?? ownerId ?? 0);
    if (!owner) return { account: { id: undefined, login: "" }, place: "" };
    return { account: owner, place: repo ? `${owner.login}/${repo.name}` : owner.login };
  }

  /** A repository in the bin still has its rows. */
  private isThere({ ownerId, repoId }: HomeKey): boolean {
    const { identity, repos } = this.parts;
    if (repoId !== undefined) return repos.byId(repoId)?.isBinned === false;
    return ownerId === undefined || identity.byId(ownerId) !== undefined;
  }
}

const shortened = (text: string) => text.slice(0, MAX_TEXT).toWellFormed();

/** @throws BadRequest if there are more than any runner needs */
function labelsOf(labels: readonly string[]): string[] {
  if (labels.length > MAX_LABELS) throw new BadRequest("actions.too-many", { params: { max: MAX_LABELS } });
  return labels.map(shortened);
}
