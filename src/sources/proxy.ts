import type { ProxiedUser } from "../access/credentials.ts";
import { anonymous } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { AccountCreation } from "../identity/account-creation.ts";
import type { IdentityService } from "../identity/service.ts";
import { Failure } from "../kernel/errors.ts";
import { InFlight } from "../kernel/in-flight.ts";
import type { Log } from "../kernel/log.ts";

export interface ProxyOptions {
  /** `proxy.sign_in_by_email` */
  readonly byEmail: boolean;
  /** `proxy.sign_in_registers` */
  readonly registers: boolean;
}

/** Users signed in by a trusted reverse proxy (contract identity.md 2.6). */
export class ProxySignIn {
  private readonly making = new InFlight<string, User | undefined>();

  constructor(
    private readonly identity: IdentityService,
    private readonly accountCreation: AccountCreation,
    private readonly log: Log,
    private readonly options: ProxyOptions,
  ) {}

  /** @returns undefined: there is no such account, and none is created */
  async find(said: ProxiedUser, address: string): Promise<User | undefined> {
    const named = this.identity.byLogin(said.name);
    // Nobody can sign in as an organization.
    if (named) return named.kind === "individual" ? named : undefined;
    if (this.options.byEmail && said.email !== "") {
      const found = this.identity.byEmail(said.email);
      if (found) return found.kind === "individual" ? found : undefined;
    }
    if (!this.options.registers || !this.identity.hasAnyUser()) return undefined;
    return this.making.once(said.name.toLowerCase(), () => this.register(said, address));
  }

  private async register(said: ProxiedUser, address: string): Promise<User | undefined> {
    try {
      const account = {
        login: said.name,
        email: said.email === "" ? `${crypto.randomUUID()}@localhost` : said.email,
        isEmailProven: true,
        fullName: [...said.fullName].slice(0, 100).join(""),
      };
      return await this.accountCreation.createFromSource({ ...anonymous, address }, account, () => {});
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.log.warn("whom the reverse proxy names could not get an account", { name: said.name.slice(0, 100), error });
      return undefined;
    }
  }
}
