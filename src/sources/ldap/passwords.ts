import { anonymous } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { PasswordsElsewhere } from "../../identity/account-passwords.ts";
import type { Attempt } from "../../identity/guesses.ts";
import { Failure } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { OutsideAccounts } from "../accounts.ts";
import type { SourceService } from "../service.ts";
import type { LdapSource } from "../types.ts";
import type { Directory } from "./directory.ts";

/** Passwords that directories know. */
export class DirectoryPasswords implements PasswordsElsewhere {
  constructor(
    private readonly sources: SourceService,
    private readonly directory: Directory,
    private readonly accounts: OutsideAccounts,
    private readonly log: Log,
  ) {}

  /** @throws Failure 503 the directory cannot be asked */
  async isRight(user: User, password: string, { signal }: Attempt): Promise<boolean> {
    const source = this.sources.directoryOf(user);
    if (!source) return false;
    const identity = await this.directory.signIn(source, user.loginName, password, signal);
    if (!identity || this.accounts.find(source, identity)?.id !== user.id) return false;
    await this.accounts.update(source, identity, user);
    return true;
  }

  /** Asks one directory after the other, in the order in which they were added. */
  async newcomer(name: string, password: string, attempt: Attempt): Promise<User | undefined> {
    for (const source of this.sources.directories()) {
      try {
        const user = await this.newcomerOf(source, name, password, attempt);
        if (user) return user;
      } catch (error) {
        // Another one may know them; what is wrong with this one is in the log.
        if (!(error instanceof Failure)) throw error;
        this.log.warn("someone could not be let in by a directory", { source: source.name, error });
      }
    }
    return undefined;
  }

  /** @throws Failure unreachable, or an account cannot be made: its name or address is another's */
  private async newcomerOf(
    source: LdapSource,
    name: string,
    password: string,
    attempt: Attempt,
  ): Promise<User | undefined> {
    const identity = await this.directory.signIn(source, name, password, attempt.signal);
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
      // A client that opens two connections at once is new once.
      const made = error instanceof Failure ? this.accounts.find(source, identity) : undefined;
      if (made) return made;
      throw error;
    }
  }
}
