import type { AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NotFound } from "../../kernel/errors.ts";
import { randomHex, sha256Hex } from "../../kernel/ids.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SecretBox } from "../../secrets/box.ts";
import { Secret } from "../../secrets/secret.ts";
import type { ActionsHome, HomeKey, Runner } from "../types.ts";
import * as store from "./store.ts";

declare module "../../audit/actions.ts" {
  interface AuditActions {
    "actions-runner-token-reset": { readonly place: string };
    "actions-runner-registered": { readonly name: string; readonly place: string };
    "actions-runner-removed": { readonly name: string; readonly place: string };
  }
}

export interface RunnerParts {
  readonly audit: AuditService;
  readonly clock: Clock;
  readonly db: Database;
  readonly repos: RepoService;
  readonly secrets: SecretBox;
}

/** A runner that has not called for this long is offline. */
const ONLINE_MS = 60_000;
/** A runner that called about a task this recently is busy. */
const BUSY_MS = 10_000;
/** Minimum interval between writes of a runner's last call about a task: it calls every second. */
const ACTIVE_STEP_MS = 5_000;

/**
 * Manages runners and the tokens they register with (contract actions.md 8.4). The site's home covers all runners of
 * the server, and has its own tokens.
 */
export class RunnerService {
  private readonly sealed: ReturnType<SecretBox["column"]>;
  private readonly farewells: ((id: number) => void)[] = [];

  constructor(private readonly parts: RunnerParts) {
    this.sealed = parts.secrets.column({ table: "actions_registration_tokens", column: "token", key: "id" });
  }

  /** Registers what to do before a runner is deleted, in the same transaction; called during wiring. */
  beforeDelete(goes: (id: number) => void): void {
    this.farewells.push(goes);
  }

  /** Records that it called about a task. */
  noteActive({ id, lastActiveAt }: Runner, now: number): void {
    if (lastActiveAt === undefined || now - lastActiveAt > ACTIVE_STEP_MS) store.setActive(this.parts.db, id, now);
  }

  /** Makes the operator's token the site's registration token, unless it was stored before. */
  seedRegistrationToken(token: string): void {
    const { db } = this.parts;
    const site = { repoId: undefined, ownerId: undefined };
    db.transaction(() => {
      if (store.findToken(db, sha256Hex(token))) return;
      const present = store.activeToken(db, site);
      if (present) store.retireToken(db, present.id);
      this.addToken(site, token);
    });
  }

  /** Online runners first, then enabled ones, then by last call. */
  list(home: ActionsHome, paging: Omit<Paging, "page">, isDisabled?: boolean): Slice<Runner> {
    const { clock, db } = this.parts;
    return store.listRunners(db, scopeOf(home), isDisabled, clock() - ONLINE_MS, paging);
  }

  /** @throws NotFound if it does not exist or belongs to another home, whose runners stay hidden */
  get(home: ActionsHome, id: number): Runner {
    const runner = store.findRunner(this.parts.db, scopeOf(home), id);
    if (!runner) throw new NotFound("actions.no-such-runner", { params: { id } });
    return runner;
  }

  /** Enables or disables the assignment of jobs. @throws NotFound */
  setDisabled(home: ActionsHome, id: number, isDisabled: boolean): Runner {
    const { db } = this.parts;
    return db.transaction(() => {
      const runner = this.get(home, id);
      if (runner.isDisabled !== isDisabled) {
        store.setDisabled(db, id, isDisabled);
        this.raiseVersions(runner);
      }
      return { ...runner, isDisabled };
    });
  }

  /** Deletes a runner and revokes its credentials. @throws NotFound */
  delete(home: ActionsHome, id: number): void {
    const { audit, db } = this.parts;
    db.transaction(() => {
      const { name } = this.get(home, id);
      for (const goes of this.farewells) goes(id);
      store.deleteRunner(db, id);
      audit.append(home.principal, "actions-runner-removed", home.account, { name, place: home.place });
    });
  }

  /** The token that runners of the home register with, created on first use. */
  registrationToken(home: ActionsHome): string {
    const { db } = this.parts;
    return db.transaction(() => {
      const present = store.activeToken(db, home);
      return present ? this.sealed.open(present.id, present.token).reveal() : this.newToken(home);
    });
  }

  /** Replaces the token; registered runners stay. */
  resetRegistrationToken(home: ActionsHome): string {
    const { audit, db } = this.parts;
    return db.transaction(() => {
      const present = store.activeToken(db, home);
      if (present) store.retireToken(db, present.id);
      audit.append(home.principal, "actions-runner-token-reset", home.account, { place: home.place });
      return this.newToken(home);
    });
  }

  stateOf({ lastActiveAt, lastOnlineAt }: Runner): "busy" | "idle" | "offline" {
    const now = this.parts.clock();
    if (lastOnlineAt === undefined || now - lastOnlineAt > ONLINE_MS) return "offline";
    return lastActiveAt !== undefined && now - lastActiveAt <= BUSY_MS ? "busy" : "idle";
  }

  private newToken(home: HomeKey): string {
    const token = randomHex(20);
    this.addToken(home, token);
    return token;
  }

  private addToken(home: HomeKey, token: string): void {
    const { clock, db } = this.parts;
    const id = store.insertToken(db, home, sha256Hex(token), clock());
    store.putSealedToken(db, id, this.sealed.seal(id, new Secret(token)));
  }

  /** Makes runners of the same home, of its owner and of the site ask again. Joins the running transaction. */
  raiseVersions({ ownerId, repoId }: HomeKey): void {
    const { db, repos } = this.parts;
    const owner = ownerId ?? (repoId === undefined ? undefined : repos.byId(repoId)?.ownerId);
    if (repoId !== undefined) store.raiseTaskVersion(db, { repoId, ownerId: undefined });
    if (owner !== undefined) store.raiseTaskVersion(db, { repoId: undefined, ownerId: owner });
    store.raiseTaskVersion(db, { repoId: undefined, ownerId: undefined });
  }
}

function scopeOf({ ownerId, repoId }: ActionsHome): store.RunnerScope {
  return ownerId === undefined && repoId === undefined ? "all" : { ownerId, repoId };
}
