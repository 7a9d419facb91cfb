import { accountOf, type Principal } from "../../access/principal.ts";
import { requireAccount, requireSiteAdmin } from "../../access/requirements.ts";
import type { User } from "../../access/user.ts";
import type { AuditAction } from "../../audit/actions.ts";
import type { AuditedAccount, AuditService } from "../../audit/service.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Forbidden, NotFound } from "../../kernel/errors.ts";
import { equalSecrets, sha256Hex } from "../../kernel/ids.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import { usersOfApplication } from "../grants/store.ts";
import { randomCode } from "../random-codes.ts";
import type { Application, ApplicationFields } from "../types.ts";
import { checkApplication } from "../values.ts";
import {
  applicationsOf,
  deleteApplication,
  findApplication,
  findByClientId,
  insertApplication,
  updateApplication,
  updateSecret,
} from "./store.ts";

/**
 * Which applications are meant: the caller's own, the site's, managed by its administrators, or an organization's,
 * managed by its owners.
 */
export type ApplicationOwner = "own" | "site" | OwningOrganization;

/** An organization, and the caller's standing in it. */
export interface OwningOrganization {
  readonly organization: User;
  readonly standing: "none" | "member" | "owner";
}

interface Owner {
  /** undefined: the site. */
  readonly id: number | undefined;
  readonly account: AuditedAccount;
}

/** An application with its secret, which is shown only once: 256 random bits, stored as SHA-256. */
export interface WithSecret {
  readonly application: Application;
  readonly secret: string;
}

/** Registered programs (contract identity.md 6.7). Those of others are reported as missing. */
export class ApplicationService {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly audit: AuditService,
    private readonly options: { readonly customSchemes: readonly string[]; readonly builtInClients: readonly string[] },
  ) {}

  /** Newest first. @throws Unauthorised, Forbidden */
  list(principal: Principal, owner: ApplicationOwner, paging: Paging): Slice<Application> {
    return applicationsOf(this.db, ownerOf(principal, owner, "read").id, paging);
  }

  /** @throws NotFound */
  get(principal: Principal, owner: ApplicationOwner, id: number): Application {
    return this.owned(ownerOf(principal, owner, "read").id, id);
  }

  /** @throws ValidationFailed, BadRequest */
  create(principal: Principal, owner: ApplicationOwner, fields: ApplicationFields): WithSecret {
    const { id: ownerId, account } = ownerOf(principal, owner, "write");
    checkApplication(fields, this.options.customSchemes);
    const secret = randomCode("gto_");
    const application = this.db.transaction(() => {
      const made = insertApplication(this.db, {
        ...fields,
        ownerId,
        clientId: crypto.randomUUID(),
        secretHash: sha256Hex(secret),
        createdAt: this.clock(),
      });
      this.record(principal, "application-added", account, made);
      return made;
    });
    return { application, secret };
  }

  /** @throws NotFound; ValidationFailed, BadRequest */
  edit(principal: Principal, owner: ApplicationOwner, id: number, fields: ApplicationFields): Application {
    const { id: ownerId, account } = ownerOf(principal, owner, "write");
    this.owned(ownerId, id);
    checkApplication(fields, this.options.customSchemes);
    return this.db.transaction(() => {
      updateApplication(this.db, id, fields);
      const edited = this.owned(ownerId, id);
      this.record(principal, "application-edited", account, edited);
      return edited;
    });
  }

  /** Both in one step, as in the API. @throws NotFound; ValidationFailed, BadRequest */
  editWithNewSecret(principal: Principal, owner: ApplicationOwner, id: number, fields: ApplicationFields): WithSecret {
    return this.db.transaction(() => {
      this.edit(principal, owner, id, fields);
      return this.renewSecret(principal, owner, id);
    });
  }

  /** Invalidates the current secret. @throws NotFound */
  renewSecret(principal: Principal, owner: ApplicationOwner, id: number): WithSecret {
    const { id: ownerId, account } = ownerOf(principal, owner, "write");
    const application = this.owned(ownerId, id);
    const secret = randomCode("gto_");
    this.db.transaction(() => {
      updateSecret(this.db, id, sha256Hex(secret));
      this.record(principal, "application-secret-renewed", account, application);
    });
    return { application, secret };
  }

  /** Removes the application with all of its grants. @throws NotFound */
  remove(principal: Principal, owner: ApplicationOwner, id: number): void {
    const { id: ownerId, account } = ownerOf(principal, owner, "write");
    const application = this.owned(ownerId, id);
    this.db.transaction(() => {
      const users = usersOfApplication(this.db, application.id);
      deleteApplication(this.db, application.id);
      this.record(principal, "application-removed", account, application);
      for (const userId of users) this.outbox.append("access.changed", { ownerId: userId }, { userId });
    });
  }

  /** For requests of the protocol. */
  byClientId(clientId: string): Application | undefined {
    return this.known(clientId)?.application;
  }

  byId(id: number): Application | undefined {
    return findApplication(this.db, id);
  }

  hasSecret({ clientId }: Application, secret: string): boolean {
    const hash = this.known(clientId)?.secretHash;
    return hash !== undefined && equalSecrets(hash, sha256Hex(secret));
  }

  private known(clientId: string) {
    const found = clientId.length > 100 ? undefined : findByClientId(this.db, clientId);
    if (found?.application.isBuiltIn && !this.options.builtInClients.includes(settingName(found.application)))
      return undefined;
    return found;
  }

  private record(
    principal: Principal,
    action: AuditAction & `application-${string}`,
    account: AuditedAccount,
    { name }: Application,
  ): void {
    this.audit.append(principal, action, account, { name });
  }

  private owned(ownerId: number | undefined, id: number): Application {
    const application = findApplication(this.db, id);
    if (!application || application.isBuiltIn || application.ownerId !== ownerId) throw new NotFound();
    return application;
  }
}

/** A built-in client's name in the setting: `git-credential-manager`. */
function settingName({ name }: Application): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

/** @throws Unauthorised, Forbidden */
function ownerOf(principal: Principal, owner: ApplicationOwner, level: "read" | "write"): Owner {
  if (owner === "site") {
    requireSiteAdmin(principal, level);
    // The site has no account; any of its administrators may have done it.
    return { id: undefined, account: { id: undefined, login: "" } };
  }
  if (owner !== "own") {
    if (owner.standing !== "owner") throw new Forbidden("organization.needs-owner");
    return { id: owner.organization.id, account: owner.organization };
  }
  const account = accountOf(principal);
  requireAccount(principal, account.id, level);
  return { id: account.id, account };
}
