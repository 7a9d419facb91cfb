import type { Core } from "../core.ts";
import type { Services } from "../services.ts";
import { OutsideAccounts } from "./accounts.ts";
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

/** Constructs and wires the services of sources. */
export function openSources(
  { clock, config, db, log, outbound, secrets }: Core,
  { accountCreation, audit, avatars, identity, organizations, sshKeys, teams }: Services,
) {
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
  const oauth2Client = new OAuth2Client(outbound, log, (source) => sources.secretOf(source), {
    username: config["sign_in.username"],
    openidScopes: config["sign_in.openid_scopes"],
  });
  const directory = new Directory(outbound, log, (source) => sources.secretOf(source));
  const mailServers = new MailServers(outbound, log);
  const passwords = new SourcePasswords(sources, directory, mailServers, outsideAccounts, log);
  const proxy = new ProxySignIn(identity, accountCreation, log, {
    byEmail: config["proxy.sign_in_by_email"],
    registers: config["proxy.sign_in_registers"],
  });
  const sync = new DirectorySync(db, log, identity, sources, directory, outsideAccounts);
  return {
    sources,
    outsideAccounts,
    oauth2Client,
    roundTrips: new RoundTrips(secrets, clock),
    newcomers: new Newcomers(),
    passwords,
    proxy,
    sync,
  };
}
