import { anonymous } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { PasswordsElsewhere } from "../identity/account-passwords.ts";
import type { Attempt } from "../identity/guesses.ts";
import { Failure } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { OutsideAccounts } from "./accounts.ts";
import type { Directory } from "./ldap/directory.ts";
import type { SourceService } from "./service.ts";
import type { MailServers } from "./smtp/mail-server.ts";
import type { OutsideIdentity, PasswordSource } from "./types.ts";

/** Passwords checked by directories and mail servers. */
export class SourcePasswords implements PasswordsElsewhere {
  constructor(
    private readonly sources: SourceService,
    private readonly directory: Directory,
    private readonly mailServers: MailServers,
    private readonly accounts: OutsideAccounts,
    private readonly log: Log,
  ) {}

  /** A source's answer is valid for its current settings only. */
  mark(user: User): string {
    const source = this.sources.ofPassword(user);
    return `elsewhere ${user.sourceId} ${source?.updatedAt ?? "inactive"} ${user.loginName}`;
  }

  /** @throws Failure 503 the source cannot be asked */
  async isRight(user: User, password: string, { signal }: Attempt): Promise<boolean> {
    const source = this.sources.ofPassword(user);
    if (!source) return false;
    const identity = await this.ask(source, user.loginName, password, signal);
    if (!identity || this.accounts.find(source, identity)?.id !== user.id) return false;
    await this.accounts.update(source, identity, user);
    return true;
  }

  /** Asks the sources one by one, in the order in which they were added. */
  async newcomer(name: string, password: string, attempt: Attempt): Promise<User | undefined> {
    for (const source of this.sources.takingPasswords()) {
      try {
        const user = await this.newcomerOf(source, name, password, attempt);
        if (user) return user;
      } catch (error) {
        // Another source may know them; the problem with this one is logged.
        if (!(error instanceof Failure)) throw error;
        this.log.warn("someone could not be let in by a sign-in source", { source: source.name, error });
      }
    }
    return undefined;
  }

  private ask(
    source: PasswordSource,
    name: string,
    password: string,
    signal: AbortSignal | undefined,
  ): Promise<OutsideIdentity | undefined> {
    return source.kind === "smtp"
      ? this.mailServers.signIn(source, name, password, signal)
      : this.directory.signIn(source, name, password, signal);
  }

  /** @throws Failure unreachable, or the account cannot be created: its name or address is taken */
  private async newcomerOf(
    source: PasswordSource,
    name: string,
    password: string,
    attempt: Attempt,
  ): Promise<User | undefined> {
    const identity = await this.ask(source, name, password, attempt.signal);
    if (!identity) return undefined;
    const found = this.accounts.find(source, identity);
    if (found) {
      await this.accounts.update(source, identity, found);
      return found;
    }
    const principal = { ...anonymous, address: attempt.address };
    try {
      return await this.accounts.create(principal, source, identity, this.accounts.proposed(identity));
    } catch (error) {
      // A client that opens two connections at once must get one account.
      const made = error instanceof Failure ? this.accounts.find(source, identity) : undefined;
      if (made) return made;
      throw error;
    }
  }
}
