import type { Principal } from "../access/principal.ts";
import { requireSiteAdmin } from "../access/requirements.ts";
import type { User } from "../access/user.ts";
import type { AuditService } from "../audit/service.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { Conflict, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { SecretBox } from "../secrets/box.ts";
import type { Secret } from "../secrets/secret.ts";
import { type SourceKind, type SourceSettings, settingsFrom, sourceFields } from "./settings.ts";
import * as store from "./store.ts";
import type { OAuth2Source, PasswordSource, SignInSource, SourceEdit } from "./types.ts";
import { checkSettings, checkSourceName } from "./values.ts";

declare module "../audit/actions.ts" {
  interface AuditActions {
    "source-added": { readonly name: string };
    "source-changed": { readonly name: string };
    "source-removed": { readonly name: string };
  }
}

/** Sign-in sources, managed by site administrators and the operator. */
export class SourceService {
  private readonly secrets: ReturnType<SecretBox["column"]>;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    secrets: SecretBox,
  ) {
    this.secrets = secrets.column({ table: "sign_in_sources", column: "secret", key: "id" });
  }

  /** @throws Forbidden not an administrator */
  list(principal: Principal): SignInSource[] {
    requireSiteAdmin(principal, "read");
    return store.listSources(this.db);
  }

  /** @throws Forbidden not an administrator; NotFound */
  get(principal: Principal, id: number): SignInSource {
    requireSiteAdmin(principal, "read");
    return this.require(id);
  }

  /** Whether accounts come from it or sign in through it. @throws Forbidden not an administrator */
  isUsed(principal: Principal, id: number): boolean {
    requireSiteAdmin(principal, "read");
    return store.isUsed(this.db, id);
  }

  /** @throws Forbidden not an administrator; ValidationFailed a value that breaks a rule, or a name that is taken */
  async add(
    principal: Principal,
    kind: SourceKind,
    edit: SourceEdit & { readonly name: string },
  ): Promise<SignInSource> {
    requireSiteAdmin(principal);
    const values = {
      name: edit.name.trim(),
      isActive: edit.isActive ?? true,
      isSynchronized: edit.isSynchronized ?? false,
      skipsSecondFactor: edit.skipsSecondFactor ?? false,
      settings: settingsOf(kind, edit.settings ?? {}),
    };
    checkSourceName(values.name);
    await checkSettings({ kind, settings: values.settings } as Pick<SignInSource, "kind" | "settings">);
    return this.db.transaction(() => {
      this.requireFreeName(values.name);
      const id = store.insertSource(this.db, kind, values, this.clock());
      if (edit.secret && edit.secret.reveal() !== "") store.putSecret(this.db, id, this.secrets.seal(id, edit.secret));
      this.tell(principal, "source-added", values.name);
      return this.require(id);
    });
  }

  /** @throws Forbidden not an administrator; NotFound; ValidationFailed */
  async edit(principal: Principal, id: number, edit: SourceEdit): Promise<SignInSource> {
    requireSiteAdmin(principal);
    const before = this.require(id);
    const given = Object.entries(edit.settings ?? {}).filter(([, value]) => value !== undefined);
    const values = {
      name: edit.name?.trim() ?? before.name,
      isActive: edit.isActive ?? before.isActive,
      isSynchronized: edit.isSynchronized ?? before.isSynchronized,
      skipsSecondFactor: edit.skipsSecondFactor ?? before.skipsSecondFactor,
      settings: settingsOf(before.kind, { ...before.settings, ...Object.fromEntries(given) }),
    };
    checkSourceName(values.name);
    await checkSettings({ kind: before.kind, settings: values.settings } as Pick<SignInSource, "kind" | "settings">);
    return this.db.transaction(() => {
      this.requireFreeName(values.name, id);
      store.updateSource(this.db, id, values, this.clock());
      if (edit.secret) {
        const isNone = edit.secret.reveal() === "";
        store.putSecret(this.db, id, isNone ? "" : this.secrets.seal(id, edit.secret));
      }
      this.tell(principal, "source-changed", values.name);
      return this.require(id);
    });
  }

  /** @throws Forbidden not an administrator; NotFound; Conflict `source.in-use` */
  remove(principal: Principal, id: number): void {
    requireSiteAdmin(principal);
    this.db.transaction(() => {
      const { name } = this.require(id);
      if (store.isUsed(this.db, id)) throw new Conflict("source.in-use");
      store.deleteSource(this.db, id);
      this.tell(principal, "source-removed", name);
    });
  }

  // For signing in, before the user is known.

  /** The active source of that name for sign-in by browser. */
  provider(name: string): OAuth2Source | undefined {
    const found = store.findSourceByName(this.db, name);
    return found?.kind === "oauth2" && found.isActive ? found : undefined;
  }

  byId(id: number): SignInSource | undefined {
    return store.findSource(this.db, id);
  }

  /** Active sources for sign-in by browser. */
  providers(): OAuth2Source[] {
    return store
      .listSources(this.db)
      .filter((source): source is OAuth2Source => source.kind === "oauth2" && source.isActive);
  }

  /** Active sources that check passwords. */
  takingPasswords(): PasswordSource[] {
    return store
      .listSources(this.db)
      .filter((source): source is PasswordSource => source.kind !== "oauth2" && source.isActive);
  }

  /** The source of the account's password, if it is active. */
  ofPassword({ sourceId }: User): PasswordSource | undefined {
    const source = sourceId === 0 ? undefined : store.findSource(this.db, sourceId);
    return source && source.kind !== "oauth2" && source.isActive ? source : undefined;
  }

  secretOf(source: SignInSource): Secret | undefined {
    const sealed = store.sealedSecretOf(this.db, source.id);
    return sealed === "" ? undefined : this.secrets.open(source.id, sealed);
  }

  private requireFreeName(name: string, exceptId?: number): void {
    const taken = store.findSourceByName(this.db, name);
    if (taken && taken.id !== exceptId)
      throw new ValidationFailed("source.name-taken", { field: "name", params: { name } });
  }

  private require(id: number): SignInSource {
    const source = store.findSource(this.db, id);
    if (!source) throw new NotFound("source.missing");
    return source;
  }

  private tell(principal: Principal, action: "source-added" | "source-changed" | "source-removed", name: string): void {
    const { user } = principal;
    this.audit.append(principal, action, { id: user?.id, login: user?.login ?? "" }, { name });
  }
}

/** Trims texts and leaves out settings that the kind does not have. */
function settingsOf(kind: SourceKind, given: Readonly<Record<string, unknown>>): SourceSettings {
  const trimmed = Object.entries(given).map(([key, value]) => [key, typeof value === "string" ? value.trim() : value]);
  return settingsFrom(sourceFields[kind], Object.fromEntries(trimmed));
}
