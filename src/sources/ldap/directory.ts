import type { Client, Entry } from "ldapts";
import { Failure } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { Semaphore } from "../../kernel/semaphore.ts";
import type { OutboundClient } from "../../outbound/client.ts";
import type { Secret } from "../../secrets/secret.ts";
import type { LdapSource, OutsideIdentity } from "../types.ts";
import { isAnswer, withDirectory } from "./connection.ts";
import { both, escapeDnValue, escapeFilterValue, filled, inBrackets } from "./filters.ts";

/** LDAP result codes (RFC 4511 appendix A). */
const NO_SUCH_OBJECT = 32;
const INVALID_CREDENTIALS = 49;
const REFUSED_BINDS = [INVALID_CREDENTIALS, NO_SUCH_OBJECT, 34, 48, 50, 53];

/** Concurrent sign-ins at one directory, and the number that may queue. */
const AT_A_TIME = 8;
const MAX_WAITING = 200;
const PAGE_SIZE = 500;

/** Looks people up in LDAP directories and checks their passwords. */
export class Directory {
  private readonly turns = new Semaphore(AT_A_TIME, MAX_WAITING);

  constructor(
    private readonly outbound: OutboundClient,
    private readonly log: Log,
    private readonly secretOf: (source: LdapSource) => Secret | undefined,
  ) {}

  /**
   * The person the directory knows by that name and password; undefined if there is none, or they are not admitted
   * here.
   * @throws Failure 503 `source.unreachable`; Overloaded
   */
  async signIn(
    source: LdapSource,
    name: string,
    password: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<OutsideIdentity | undefined> {
    // Many directories treat a name without a password as anonymous and accept it (RFC 4513 section 5.1.2).
    if (password === "" || name === "" || name.length > 254 || name.includes("\0")) return undefined;
    // Without an attribute the typed text becomes the name, and directories accept many spellings of the same name.
    if (source.settings.usernameAttribute === "" && !/^[A-Za-z0-9._@+-]+$/.test(name)) return undefined;
    const leave = await this.turns.enter(source.id, signal);
    try {
      return await this.asking(source, (client) => this.identify(source, client, name, password));
    } finally {
      leave();
    }
  }

  /**
   * Everyone the directory admits. Only possible if it is searched with a service account.
   * @throws Failure 503 `source.unreachable`
   */
  async everyone(source: LdapSource & { readonly kind: "ldap" }): Promise<OutsideIdentity[]> {
    const { settings } = source;
    return this.asking(source, async (client) => {
      await this.bindAsSource(source, client);
      const filter = inBrackets(filled(settings.userFilter, "*"));
      const pageSize = settings.pageSize || PAGE_SIZE;
      const entries: Entry[] = [];
      for await (const page of client.searchPaginated(settings.userBase, {
        ...asked(source),
        scope: "sub",
        filter,
        paged: { pageSize },
      }))
        entries.push(...page.searchEntries);
      const named = async (more: string) => {
        const found = new Set<string>();
        if (more === "") return found;
        for await (const page of client.searchPaginated(settings.userBase, {
          attributes: ["1.1"],
          scope: "sub",
          filter: both(filter, more),
          paged: { pageSize },
        }))
          for (const { dn } of page.searchEntries) found.add(dn);
        return found;
      };
      const [admins, restricted] = [await named(settings.adminFilter), await named(settings.restrictedFilter)];
      const people: OutsideIdentity[] = [];
      for (const entry of entries) {
        const groups = await groupsOf(source, client, entry);
        const person = identityOf(source, entry, "", {
          groups,
          isAdmin: settings.adminFilter === "" ? undefined : admins.has(entry.dn),
          isRestricted: settings.restrictedFilter === "" ? undefined : restricted.has(entry.dn),
        });
        if (person && isAdmitted(source, groups)) people.push(person);
      }
      return people;
    });
  }

  private async identify(
    source: LdapSource,
    client: Client,
    name: string,
    password: string,
  ): Promise<OutsideIdentity | undefined> {
    const entry = await this.entryOf(source, client, name, password);
    if (!entry) return undefined;
    const { settings } = source;
    const holds = async (filter: string) => {
      if (filter === "") return undefined;
      const found = await client.search(entry.dn, { scope: "base", attributes: ["1.1"], filter: inBrackets(filter) });
      return found.searchEntries.length > 0;
    };
    const groups = await groupsOf(source, client, entry);
    if (!isAdmitted(source, groups)) return undefined;
    const rights = {
      groups,
      isAdmin: await holds(settings.adminFilter),
      isRestricted: await holds(settings.restrictedFilter),
    };
    return identityOf(source, entry, name, rights);
  }

  /** The only entry of that name, after binding with its password; leaves the connection bound for searches. */
  private async entryOf(
    source: LdapSource,
    client: Client,
    name: string,
    password: string,
  ): Promise<Entry | undefined> {
    const { settings } = source;
    const filter = inBrackets(filled(settings.userFilter, escapeFilterValue(name)));
    if (source.kind === "ldap-simple") {
      const dn = filled(source.settings.userDn, escapeDnValue(name));
      if (!(await binds(client, dn, password))) return undefined;
      const where = settings.userBase === "" ? ({ base: dn, scope: "base" } as const) : undefined;
      return single(client, source, where?.base ?? settings.userBase, where?.scope ?? "sub", filter);
    }
    await this.bindAsSource(source, client);
    const entry = await single(client, source, settings.userBase, "sub", filter);
    if (!entry || !(await binds(client, entry.dn, password))) return undefined;
    if (source.settings.attributesInBind) return single(client, source, entry.dn, "base", filter);
    await this.bindAsSource(source, client);
    return entry;
  }

  private async bindAsSource(source: LdapSource & { readonly kind: "ldap" }, client: Client): Promise<void> {
    const secret = this.secretOf(source)?.reveal() ?? "";
    // Without a name, bind anonymously.
    await client.bind(source.settings.bindDn, source.settings.bindDn === "" ? "" : secret);
  }

  /** @throws Failure 503 `source.unreachable`: the person signing in need not know why the directory failed */
  private async asking<T>(source: LdapSource, work: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await withDirectory(this.outbound, source, work);
    } catch (error) {
      if (error instanceof Failure) throw error;
      this.log.warn("a sign-in source did not do its part", { source: source.name, error });
      throw new Failure(503, "source.unreachable");
    }
  }
}

async function binds(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (isAnswer(error) && REFUSED_BINDS.includes(error.code)) return false;
    throw error;
  }
}

/** The entry matching a filter, if there is exactly one. */
async function single(
  client: Client,
  source: LdapSource,
  base: string,
  scope: "base" | "sub",
  filter: string,
): Promise<Entry | undefined> {
  try {
    const { searchEntries } = await client.search(base, { ...asked(source), scope, filter, sizeLimit: 2 });
    return searchEntries.length === 1 ? searchEntries[0] : undefined;
  } catch (error) {
    // More than one match, or no such base: no single entry.
    if (isAnswer(error) && (error.code === 4 || error.code === NO_SUCH_OBJECT)) return undefined;
    throw error;
  }
}

/** The attributes to request, and which of them are binary. */
function asked({ settings }: LdapSource): { attributes: string[]; explicitBufferAttributes: string[] } {
  const names = [
    settings.usernameAttribute,
    settings.firstNameAttribute,
    settings.surnameAttribute,
    settings.emailAttribute,
    settings.sshKeyAttribute,
    settings.avatarAttribute,
    "groupUserAttribute" in settings && settings.groupUserAttribute !== "dn" ? settings.groupUserAttribute : "",
  ].filter((name) => name !== "");
  return {
    attributes: names.length === 0 ? ["1.1"] : names,
    explicitBufferAttributes: settings.avatarAttribute === "" ? [] : [settings.avatarAttribute],
  };
}

/** The names of the entry's groups; undefined if groups are not configured. */
async function groupsOf(source: LdapSource, client: Client, entry: Entry): Promise<string[] | undefined> {
  if (source.kind !== "ldap" || !source.settings.usesGroups) return undefined;
  const { groupBase, groupFilter, groupMemberAttribute, groupUserAttribute } = source.settings;
  const member =
    groupUserAttribute === "" || groupUserAttribute === "dn" ? entry.dn : textOf(entry, groupUserAttribute);
  if (member === "") return [];
  const isMember = `(${groupMemberAttribute}=${escapeFilterValue(member)})`;
  const filter = groupFilter === "" ? isMember : both(groupFilter, isMember);
  const { searchEntries } = await client.search(groupBase, { scope: "sub", attributes: ["1.1"], filter });
  return searchEntries.map(({ dn }) => dn);
}

/** With a group filter, only members of a matching group are admitted. */
function isAdmitted(source: LdapSource, groups: readonly string[] | undefined): boolean {
  const filters = source.kind === "ldap" && source.settings.usesGroups && source.settings.groupFilter !== "";
  return !filters || (groups !== undefined && groups.length > 0);
}

type Rights = Pick<OutsideIdentity, "groups" | "isAdmin" | "isRestricted">;

/** @param typed the typed name, if no attribute has it. @returns undefined: the entry has no name */
function identityOf(
  { settings }: LdapSource,
  entry: Entry,
  typed: string,
  rights: Rights,
): OutsideIdentity | undefined {
  const name = settings.usernameAttribute === "" ? typed : textOf(entry, settings.usernameAttribute);
  if (name === "" || name.length > 254) return undefined;
  const names = [settings.firstNameAttribute, settings.surnameAttribute].map((each) => textOf(entry, each));
  const [bytes] = valuesOf(entry, settings.avatarAttribute);
  return {
    issuer: "",
    subject: name.toLowerCase(),
    name,
    fullName: names.filter((each) => each !== "").join(" "),
    email: textOf(entry, settings.emailAttribute),
    // The site's operator runs or trusts the directory.
    isEmailProven: true,
    pictureUrl: "",
    picture: bytes instanceof Uint8Array && bytes.length > 0 ? bytes : undefined,
    sshKeys: settings.sshKeyAttribute === "" ? undefined : textsOf(entry, settings.sshKeyAttribute),
    ...rights,
  };
}

function textOf(entry: Entry, attribute: string): string {
  return textsOf(entry, attribute)[0]?.trim().slice(0, 1000) ?? "";
}

const textsOf = (entry: Entry, attribute: string): string[] => valuesOf(entry, attribute).map(String);

/** Attribute names are case-insensitive. */
function valuesOf(entry: Entry, attribute: string): (string | Uint8Array)[] {
  if (attribute === "") return [];
  const key = Object.keys(entry).find((name) => name.toLowerCase() === attribute.toLowerCase());
  return key === undefined ? [] : [entry[key] ?? []].flat();
}
