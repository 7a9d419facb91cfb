import { atLeast } from "../access/levels.ts";
import { accountOf, type Principal } from "../access/principal.ts";
import { requireSiteAdmin } from "../access/requirements.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { Forbidden, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import { requireOwner } from "../organizations/service.ts";
import type { SeenOrganization } from "../organizations/types.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { SealedColumn, SecretBox } from "../secrets/box.ts";
import { Secret } from "../secrets/secret.ts";
import * as store from "./store.ts";
import type { HookEdit, HookHome, HookLevel, HookSecrets, HookValues, Webhook } from "./types.ts";

export interface WebhookParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: SecretBox;
  /** The setting `webhooks.enabled`. */
  readonly isEnabled: boolean;
}

const MAX_HOOKS = 100;
const column = (name: keyof HookSecrets): SealedColumn => ({ table: "webhooks", column: name, key: "id" });
const noSecrets: HookSecrets = { secret: "", authorization: "", token: "" };

/**
 * Webhooks (contract webhooks.md 1). A home says where they belong; obtaining one checks the right to manage the
 * hooks in it.
 */
export class WebhookService {
  private readonly sealed: Readonly<Record<keyof HookSecrets, ReturnType<SecretBox["column"]>>>;

  constructor(private readonly parts: WebhookParts) {
    const { secrets } = parts;
    this.sealed = {
      secret: secrets.column(column("secret")),
      authorization: secrets.column(column("authorization")),
      token: secrets.column(column("token")),
    };
  }

  /** The home of a repository's hooks. @throws Forbidden not an administrator of it, or hooks are disabled */
  ofRepo({ access, repo }: SeenRepo): HookHome {
    if (!atLeast(access.level, "admin")) throw new Forbidden("repository.needs-admin");
    this.requireEnabled();
    return { levels: ["repository"], repoId: repo.id, ownerId: undefined };
  }

  /**
   * The home of hooks for all repositories of an organization. @throws Forbidden not an owner, or hooks are disabled
   */
  ofOrganization(seen: SeenOrganization): HookHome {
    requireOwner(seen);
    this.requireEnabled();
    return { levels: ["account"], repoId: undefined, ownerId: seen.organization.id };
  }

  /**
   * The home of hooks for all of the principal's own repositories. @throws Unauthorised; Forbidden hooks are disabled
   */
  ofAccount(principal: Principal): HookHome {
    const { id } = accountOf(principal);
    this.requireEnabled();
    return { levels: ["account"], repoId: undefined, ownerId: id };
  }

  /** The home of hooks for the whole site. @throws Forbidden not a site administrator */
  ofSite(
    principal: Principal,
    level: "read" | "write",
    levels: readonly HookLevel[] = ["system", "default"],
  ): HookHome {
    requireSiteAdmin(principal, level);
    return { levels, repoId: undefined, ownerId: undefined };
  }

  /** Oldest first. */
  list(home: HookHome, paging: Pick<Paging, "limit" | "offset">): Slice<Webhook> {
    return store.listHooks(this.parts.db, home, paging);
  }

  /** @throws NotFound missing, or in another home */
  get(home: HookHome, id: number): Webhook {
    const hook = store.findHook(this.parts.db, id);
    const isHere =
      hook !== undefined &&
      home.levels.includes(hook.level) &&
      hook.repoId === home.repoId &&
      hook.ownerId === home.ownerId;
    if (!isHere) throw new NotFound();
    return hook;
  }

  /** @param level one of the home's @throws ValidationFailed there are too many */
  create(home: HookHome, level: HookLevel, values: HookValues): Webhook {
    const { db } = this.parts;
    if (!home.levels.includes(level)) throw new Error(`no hook of level ${level} belongs there`);
    return db.transaction(() => {
      if (store.countHooks(db, home) >= MAX_HOOKS)
        throw new ValidationFailed("webhook.too-many", { params: { max: MAX_HOOKS } });
      return this.insert({ ...values, level, repoId: home.repoId, ownerId: home.ownerId });
    });
  }

  /** @throws NotFound */
  edit(home: HookHome, id: number, { secrets, ...edit }: HookEdit): Webhook {
    const { clock, db } = this.parts;
    return db.transaction(() => {
      const hook = this.get(home, id);
      store.updateHook(db, id, { ...hook, ...edit }, clock());
      if (secrets) this.seal(id, { ...this.secretsOf(hook), ...secrets });
      return this.get(home, id);
    });
  }

  /** Deletes its deliveries too. @throws NotFound */
  delete(home: HookHome, id: number): void {
    this.parts.db.transaction(() => {
      this.get(home, id);
      store.deleteHook(this.parts.db, id);
    });
  }

  /** The secrets a hook signs and authenticates with. */
  secretsOf({ id }: Webhook): HookSecrets {
    const row = store.sealedOf(this.parts.db, id);
    if (!row) return noSecrets;
    const open = (name: keyof HookSecrets) => (row[name] === "" ? "" : this.sealed[name].open(id, row[name]).reveal());
    return { secret: open("secret"), authorization: open("authorization"), token: open("token") };
  }

  /** Copies the default hooks into a new repository. Joins the running transaction. */
  copyDefaults(repoId: number): void {
    for (const hook of store.defaultHooks(this.parts.db)) this.copy(hook, repoId, this.secretsOf(hook));
  }

  /**
   * Copies a template's hooks, without their secrets, into a repository created from it. Joins the running
   * transaction.
   */
  copyOfTemplate(fromId: number, repoId: number): void {
    for (const hook of store.hooksOfRepo(this.parts.db, fromId))
      this.copy({ ...hook, name: "" }, repoId, { ...this.secretsOf(hook), authorization: "" });
  }

  private copy(hook: Webhook, repoId: number, secrets: HookSecrets): void {
    this.insert({ ...hook, level: "repository", repoId, ownerId: undefined, secrets });
  }

  private insert({ secrets, ...row }: store.NewHookRow & { readonly secrets: HookSecrets }): Webhook {
    const { clock, db } = this.parts;
    const id = store.insertHook(db, row, clock());
    this.seal(id, secrets);
    const made = store.findHook(db, id);
    if (!made) throw new Error("an inserted hook is there");
    return made;
  }

  private seal(id: number, secrets: HookSecrets): void {
    const seal = (name: keyof HookSecrets) =>
      secrets[name] === "" ? "" : this.sealed[name].seal(id, new Secret(secrets[name]));
    store.putSealed(this.parts.db, id, {
      secret: seal("secret"),
      authorization: seal("authorization"),
      token: seal("token"),
    });
  }

  private requireEnabled(): void {
    if (!this.parts.isEnabled) throw new Forbidden("webhook.switched-off");
  }
}
