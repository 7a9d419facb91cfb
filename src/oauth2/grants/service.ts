import { accountOf, type Principal } from "../../access/principal.ts";
import { requireAccount } from "../../access/requirements.ts";
import type { AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import { OAuthError } from "../oauth-error.ts";
import { isSameScope } from "../scope.ts";
import type { Application, Grant, NamedGrant } from "../types.ts";
import { applicationOfGrant, deleteGrant, findGrant, grantsOf, insertGrant } from "./store.ts";

/** The applications that accounts have authorized. */
export class GrantService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly audit: AuditService,
  ) {}

  /** @throws Unauthorised, Forbidden */
  list(principal: Principal, paging: Paging): Slice<NamedGrant> {
    const { id } = accountOf(principal);
    requireAccount(principal, id, "read");
    return grantsOf(this.db, id, paging);
  }

  /** Revokes a grant; everything the application holds for this account becomes invalid at once. @throws NotFound */
  revoke(principal: Principal, grantId: number): void {
    const user = accountOf(principal);
    const { id: userId } = user;
    requireAccount(principal, userId);
    this.db.transaction(() => {
      const name = applicationOfGrant(this.db, userId, grantId);
      if (name === undefined) throw new NotFound();
      deleteGrant(this.db, userId, grantId);
      this.audit.append(principal, "application-revoked", user, { name });
      this.outbox.append("access.changed", { ownerId: userId }, { userId });
    });
  }

  of(userId: number, application: Application): Grant | undefined {
    return findGrant(this.db, userId, application.id);
  }

  /**
   * Authorizes an application; an existing grant stays as it was.
   * @throws OAuthError it was granted another scope
   */
  give(principal: Principal, application: Application, scope: string): Grant {
    const user = accountOf(principal);
    return this.db.transaction(() => {
      const before = findGrant(this.db, user.id, application.id);
      if (!before) {
        this.audit.append(principal, "application-authorized", user, { name: application.name });
        return insertGrant(this.db, {
          userId: user.id,
          applicationId: application.id,
          scope,
          createdAt: this.clock(),
        });
      }
      if (!application.isConfidential && !isSameScope(before.scope, scope))
        throw new OAuthError("server_error", "a grant exists with different scope");
      return before;
    });
  }
}
