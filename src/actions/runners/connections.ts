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

/** What a runner says of itself when it registers. */
export interface Registration {
  readonly name: string;
  readonly token: string;
  readonly version: string;
  readonly labels: readonly string[];
  readonly isEphemeral: boolean;
  readonly capabilities: readonly string[];
}

/** When a runner called is written at most this often: it calls every two seconds. */
const ONLINE_STEP_MS = 20_000;
const MAX_TEXT = 255;
const MAX_LABELS = 100;

/** What runners themselves ask: they come with a token of their own, not as anyone's account (contract actions.md 6). */
export class RunnerConnections {
  constructor(private readonly parts: ConnectionParts) {}

  /**
   * @param address where it called from
   * @returns the runner, and the token with which it proves itself from now on, which is shown this once
   * @throws BadRequest it names no token or itself; Unauthorised the token is none, or no longer in use; ValidationFailed too
   *   many runners
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

  /**
   * Who calls; that it called is noted.
   * @throws Unauthorised no such runner, or another token
   */
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

  /** What a runner says of itself whenever it starts takes the place of what it said before. */
  declare(
    runner: Runner,
    said: { readonly version: string; readonly labels: readonly string[]; readonly capabilities: readonly string[] },
  ): Runner {
    const [version, labels] = [shortened(said.version), labelsOf(said.labels)];
    const canCancel = said.capabilities.includes("cancelling");
    store.updateDeclared(this.parts.db, runner.id, { version, labels, canCancel });
    return { ...runner, version, labels };
  }

  /** The number that tells a runner whether anything changed since it last asked; never 0. */
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

  /** In whose record of security events a registration is, and where it says it was. */
  private recordOf({ ownerId, repoId }: HomeKey): { readonly account: AuditedAccount; readonly place: string } {
    const { identity, repos } = this.parts;
    const repo = repoId === undefined ? undefined : repos.byId(repoId);
    const owner = identity.byId(repo?.ownerId ?? ownerId ?? 0);
    if (!owner) return { account: { id: undefined, login: "" }, place: "" };
    return { account: owner, place: repo ? `${owner.login}/${repo.name}` : owner.login };
  }

  /** A repository in the bin has its rows still. */
  private isThere({ ownerId, repoId }: HomeKey): boolean {
    const { identity, repos } = this.parts;
    if (repoId !== undefined) return repos.byId(repoId)?.isBinned === false;
    return ownerId === undefined || identity.byId(ownerId) !== undefined;
  }
}

const shortened = (text: string) => text.slice(0, MAX_TEXT).toWellFormed();

/** @throws BadRequest more than a runner has any use for */
function labelsOf(labels: readonly string[]): string[] {
  if (labels.length > MAX_LABELS) throw new BadRequest("actions.too-many", { params: { max: MAX_LABELS } });
  return labels.map(shortened);
}
