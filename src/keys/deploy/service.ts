import { atLeast } from "../../access/levels.ts";
import { deployKey, type Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import type { Clock } from "../../kernel/clock.ts";
import { diskTrouble } from "../../kernel/disk.ts";
import { Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { readKeyText } from "../ssh/key-text.ts";
import type { NewKey } from "../ssh/service.ts";
import * as keys from "../ssh/store.ts";
import { DEPLOY_KEY_TOKEN } from "../token-kinds.ts";
import type { DeployKey } from "../types.ts";
import { checkTitle, MAX_KEYS } from "../values.ts";
import * as store from "./store.ts";

/** The minimum interval between writes of a last-used time. */
const USE_STEP_MS = 60_000;

/** Deploy keys, which give access to a repository without an account (contract repositories.md 19.1). */
export class DeployKeyService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  /** @throws Forbidden not an administrator of the repository */
  list(
    seen: SeenRepo,
    asked: { readonly keyId?: number | undefined; readonly fingerprint?: string | undefined },
    paging: Omit<Paging, "page">,
  ): Slice<DeployKey> {
    requireAdmin(seen);
    return store.listDeployKeys(this.db, seen.repo.id, asked, paging);
  }

  /** @throws Forbidden not an administrator of the repository; NotFound the repository has no such key */
  get(seen: SeenRepo, id: number): DeployKey {
    requireAdmin(seen);
    const key = store.findDeployKey(this.db, seen.repo.id, id);
    if (!key) throw new NotFound();
    return key;
  }

  /**
   * Adds a key. It may serve several repositories, but not an account as well.
   * @throws Forbidden not an administrator; ValidationFailed `ssh-key.…`, `deploy-key.…`, a bad title
   */
  async add(seen: SeenRepo, { title, key, isReadOnly }: NewKey): Promise<DeployKey> {
    requireAdmin(seen);
    const checkedTitle = checkTitle(title);
    const { content, comment, fingerprint } = await readKeyText(key);
    const { repo } = seen;
    return this.db.transaction(() => {
      const createdAt = this.clock();
      const present = keys.findKeyByContent(this.db, content);
      if (present && present.userId !== undefined) throw new ValidationFailed("ssh-key.used", { field: "key" });
      if (present && store.deployKeyByContent(this.db, repo.id, content))
        throw new ValidationFailed("deploy-key.used", { field: "key" });
      if (store.hasDeployTitle(this.db, repo.id, checkedTitle))
        throw new ValidationFailed("deploy-key.title-used", { field: "title" });
      if (store.listDeployKeys(this.db, repo.id, {}, { limit: 0, offset: 0 }).total >= MAX_KEYS)
        throw new ValidationFailed("key.too-many", { field: "key", params: { max: MAX_KEYS } });
      const about = { userId: undefined, title: checkedTitle, content, comment, fingerprint, isReadOnly, createdAt };
      const { id: keyId } = present ?? keys.insertKey(this.db, about);
      const id = store.insertDeployKey(this.db, {
        repoId: repo.id,
        keyId,
        title: checkedTitle,
        isReadOnly,
        createdAt,
      });
      this.tell("key.added", seen, checkedTitle);
      return this.get(seen, id);
    });
  }

  /**
   * Removes a key; does nothing if there is no such key.
   * @throws Forbidden not an administrator; NotFound it is another repository's
   */
  remove(seen: SeenRepo, id: number): void {
    this.db.transaction(() => {
      if (!store.isDeployKey(this.db, id)) return requireAdmin(seen);
      const key = this.get(seen, id);
      store.deleteDeployKey(this.db, id);
      this.tell("key.removed", seen, key.title);
    });
  }

  /**
   * The principal for access to a repository with that key, for transports that accept keys; updates the time of use.
   * @param content type and base64
   * @returns undefined if the repository has no such key
   */
  principalOf(content: string, repoId: number): Principal | undefined {
    const key = store.deployKeyByContent(this.db, repoId, content);
    if (!key) return undefined;
    this.used(key);
    return {
      ...deployKey(repoId, key.isReadOnly ? "read" : "write"),
      issuedToken: { kind: DEPLOY_KEY_TOKEN, id: key.id },
    };
  }

  /** Whether the deploy key of that id still exists. */
  isGood(id: number): boolean {
    return store.isDeployKey(this.db, id);
  }

  /** Reads must keep working when the disk is full. */
  private used({ id, lastUsedAt }: DeployKey): void {
    const now = this.clock();
    if (lastUsedAt !== undefined && now - lastUsedAt <= USE_STEP_MS) return;
    try {
      store.markDeployKeyUsed(this.db, id, now);
    } catch (error) {
      if (diskTrouble(error) === undefined) throw error;
    }
  }

  private tell(kind: "key.added" | "key.removed", { principal, repo }: SeenRepo, name: string): void {
    const context = { principal: storedPrincipal(principal), ownerId: repo.ownerId, repoId: repo.id };
    this.outbox.append(kind, context, { sort: "deploy", name });
  }
}

function requireAdmin({ access }: SeenRepo): void {
  if (!atLeast(access.level, "admin")) throw new Forbidden("repository.needs-admin");
}
