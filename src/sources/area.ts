import type { Area } from "../area.ts";
import { OutsideAccounts } from "./accounts.ts";
import { sourceErrorWords } from "./error-words.ts";
import { GroupTeams } from "./group-teams.ts";
import { Directory } from "./ldap/directory.ts";
import { DirectorySync } from "./ldap/sync.ts";
import { OAuth2Client } from "./oauth2/client.ts";
import { Newcomers } from "./oauth2/newcomers.ts";
import { RoundTrips } from "./oauth2/round-trips.ts";
import { SourcePasswords } from "./passwords.ts";
import { ProxySignIn } from "./proxy.ts";
import { SourceService } from "./service.ts";
import { MailServers } from "./smtp/mail-server.ts";

declare module "../services.ts" {
  interface Services {
    readonly sources: SourceService;
    readonly outsideAccounts: OutsideAccounts;
    readonly oauth2Client: OAuth2Client;
    readonly roundTrips: RoundTrips;
    readonly newcomers: Newcomers;
  }
}

/** Where people sign in other than by a password that is kept here. */
export const sourcesArea: Area = {
  name: "sources",
  errorWords: sourceErrorWords,
  open: (
    { clock, config, db, jobs, log, outbound, outbox, schedules, secrets },
    {
      accountCreation,
      accountPasswords,
      audit,
      authenticator,
      avatars,
      identity,
      organizations,
      sshKeys,
      teams,
      twoFactor,
    },
  ) => {
    const sources = new SourceService(db, clock, audit, secrets);
    const outsideAccounts = new OutsideAccounts({
      db,
      clock,
      log,
      audit,
      identity,
      accountCreation,
      avatars,
      sshKeys,
      outbound,
      groupTeams: new GroupTeams(identity, organizations, teams, log),
      updatesAvatar: config["sign_in.update_avatar"],
    });
    outbox.react("user.source-changed", (_, { userId, from }) => outsideAccounts.leave(userId, from));
    const oauth2Client = new OAuth2Client(outbound, clock, log, (source) => sources.secretOf(source), {
      username: config["sign_in.username"],
      openidScopes: config["sign_in.openid_scopes"],
    });
    const directory = new Directory(outbound, log, (source) => sources.secretOf(source));
    const mailServers = new MailServers(outbound, log);
    accountPasswords.askElsewhere(new SourcePasswords(sources, directory, mailServers, outsideAccounts, log));
    twoFactor.exempt((user) => sources.ofPassword(user)?.skipsSecondFactor === true);
    const proxy = new ProxySignIn(identity, accountCreation, log, {
      byEmail: config["proxy.sign_in_by_email"],
      registers: config["proxy.sign_in_registers"],
    });
    authenticator.believeProxies((said, address) => proxy.find(said, address));
    const sync = new DirectorySync(db, log, identity, sources, directory, outsideAccounts);
    jobs.handle("sources.synchronize", {
      parse: () => ({}),
      run: (_, job) => sync.run(job),
      maxTries: 2,
      timeLimitMs: 3_600_000,
    });
    schedules.add({ name: "sync_external_users", cron: "@daily", kind: "sources.synchronize", payload: {} });
    return {
      services: {
        sources,
        outsideAccounts,
        oauth2Client,
        roundTrips: new RoundTrips(secrets, clock),
        newcomers: new Newcomers(clock),
      },
    };
  },
};
