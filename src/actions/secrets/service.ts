import type { AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { SecretBox } from "../../secrets/box.ts";
import { Secret } from "../../secrets/secret.ts";
import type { ActionsHome, ActionsSecret } from "../types.ts";
import { checkValue, descriptionOf, requireRoom, valueNameOf } from "../values.ts";
import * as store from "./store.ts";

declare module "../../audit/actions.ts" {
  interface AuditActions {
    "actions-secret-set": { readonly name: string; readonly place: string };
    "actions-secret-removed": { readonly name: string; readonly place: string };
  }
}

export interface SecretParts {
  readonly audit: AuditService;
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: SecretBox;
}

/** Secrets of workflows: they can be set and replaced, but are never shown again (contract actions.md 8.2). */
export class ActionsSecretService {
  private readonly sealed: ReturnType<SecretBox["column"]>;

  constructor(private readonly parts: SecretParts) {
    this.sealed = parts.secrets.column({ table: "actions_secrets", column: "value", key: "id" });
  }

  /** Sorted by name. */
  list(home: ActionsHome, paging: Omit<Paging, "page">): Slice<ActionsSecret> {
    return store.listSecrets(this.parts.db, home, paging);
  }

  /** The secrets of a repository's jobs: the repository's own override its owner's (contract actions.md 3.11). */
  valuesFor({ id, ownerId }: { readonly id: number; readonly ownerId: number }): Record<string, Secret> {
    const rows = store.secretsOfJobs(this.parts.db, id, ownerId);
    return Object.fromEntries(rows.map((row) => [row.name, this.sealed.open(row.id, row.value)]));
  }

  /**
   * @returns whether the secret is new
   * @throws BadRequest if the name is invalid or the value too long; ValidationFailed if there are too many
   */
  put(
    home: ActionsHome,
    { description, name, value }: { readonly name: string; readonly value: Secret; readonly description: string },
  ): boolean {
    const { clock, db } = this.parts;
    const stored = valueNameOf(name);
    const checked = new Secret(checkValue(value.reveal()));
    return db.transaction(() => {
      const present = store.findSecret(db, home, stored);
      if (!present) requireRoom(store.countSecrets(db, home));
      const now = clock();
      const id = present?.id ?? store.insertSecret(db, home, stored, now);
      store.updateSecret(db, id, this.sealed.seal(id, checked), descriptionOf(description), now);
      this.record(home, "actions-secret-set", stored);
      return !present;
    });
  }

  /** @param name in any letter case @throws NotFound */
  delete(home: ActionsHome, name: string): void {
    const { db } = this.parts;
    db.transaction(() => {
      const secret = store.findSecret(db, home, name.toUpperCase());
      if (!secret) throw new NotFound("actions.no-such-secret");
      store.deleteSecret(db, secret.id);
      this.record(home, "actions-secret-removed", secret.name);
    });
  }

  private record(
    { account, place, principal }: ActionsHome,
    action: "actions-secret-set" | "actions-secret-removed",
    name: string,
  ): void {
    this.parts.audit.append(principal, action, account, { name, place });
  }
}
