import { operator } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { JobRun } from "../../jobs/types.ts";
import { Failure } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { OutsideAccounts } from "../accounts.ts";
import type { SourceService } from "../service.ts";
import { markGone, outsideOfSource } from "../store.ts";
import type { LdapSource, OutsideIdentity } from "../types.ts";
import type { Directory } from "./directory.ts";

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    "sources.synchronize": Record<string, never>;
  }
}

const PAGE = 200;

/** Updates the accounts of directories, including those that do not sign in. */
export class DirectorySync {
  constructor(
    private readonly db: Database,
    private readonly log: Log,
    private readonly identity: IdentityService,
    private readonly sources: SourceService,
    private readonly directory: Directory,
    private readonly accounts: OutsideAccounts,
  ) {}

  /**
   * Runs for all directories; one that fails does not stop the others. @throws Failure the first that could not be
   * asked
   */
  async run(job: Pick<JobRun, "signal" | "progress">): Promise<void> {
    let problem: unknown;
    for (const source of this.sources.takingPasswords()) {
      if (source.kind !== "ldap" || !source.isSynchronized) continue;
      job.signal.throwIfAborted();
      job.progress(source.name);
      try {
        await this.one(source, job.signal);
      } catch (error) {
        problem ??= error;
        this.log.warn("a directory could not be synchronized", { source: source.name, error });
      }
    }
    if (problem !== undefined) throw problem;
  }

  private async one(source: LdapSource & { readonly kind: "ldap" }, signal: AbortSignal): Promise<void> {
    const people = await this.directory.everyone(source);
    const present = new Set(people.map(({ subject }) => subject));
    for (const person of people) {
      signal.throwIfAborted();
      try {
        await this.bring(source, person);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.log.warn("someone in a directory could not be taken over", {
          source: source.name,
          name: person.name,
          error,
        });
      }
    }
    // An empty result is more often a mistake than the departure of everyone.
    if (present.size > 0 || source.settings.deactivatesAll) await this.deactivateMissing(source, present, signal);
  }

  private async bring(source: LdapSource, person: OutsideIdentity): Promise<void> {
    const user = this.accounts.find(source, person);
    if (!user) {
      await this.accounts.create(operator, source, person, this.accounts.proposed(person));
      return;
    }
    const [back] = this.accounts.of(operator, user).filter(({ sourceId, isGone }) => sourceId === source.id && isGone);
    // Accounts deactivated by an administrator stay so (security rule H16).
    if (back) {
      await this.identity.edit(operator, user, { isActive: true });
      markGone(this.db, back, false);
    }
    await this.accounts.update(source, person, user);
  }

  private async deactivateMissing(
    source: LdapSource,
    present: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<void> {
    for (let after = ""; ; ) {
      const page = outsideOfSource(this.db, source.id, after, PAGE);
      for (const outside of page) {
        signal.throwIfAborted();
        after = outside.subject;
        const user = present.has(outside.subject) ? undefined : this.identity.byId(outside.userId);
        if (!user?.isActive || user.sourceId !== source.id) continue;
        // Marked first: if interrupted it is repeated, and not taken for an administrator's decision.
        markGone(this.db, outside, true);
        try {
          await this.identity.edit(operator, user, { isActive: false });
        } catch (error) {
          markGone(this.db, outside, false);
          if (!(error instanceof Failure)) throw error;
          this.log.warn("an account that left its directory stays active", { name: user.login, error });
        }
      }
      if (page.length < PAGE) return;
    }
  }
}
