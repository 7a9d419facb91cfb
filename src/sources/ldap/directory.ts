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

/** Sign-ins that ask one directory at the same time, and those that wait for that. */
const AT_A_TIME = 8;
const MAX_WAITING = 200;
const PAGE_SIZE = 500;

/** Looks people up in LDAP directories, and tries their passwords there. */
export class Directory {
  private readonly turns = new Semaphore(AT_A_TIME, MAX_WAITING);

  constructor(
    private readonly outbound: OutboundClient,
    private readonly log: Log,
    private readonly secretOf: (source: LdapSource) => Secret | undefined,
  ) {}

  /**
   * Whom the directory knows by that name and password; undefined: no one, or they are not let in here.
   * @throws Failure 503 `source.unreachable`; Overloaded
   */
  async signIn(
    source: LdapSource,
    name: string,
    password: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<OutsideIdentity | undefined> {
    // Many directories take a name without a password for a visitor, and let it in (RFC 4513 section 5.1.2).
    if (password === "" || name === "" || name.length > 254 || name.includes("\0")) return undefined;
    // Without an attribute what was typed is the name, and a directory takes many ways to write for the same.
    if (source.settings.usernameAttribute === "" && !/^[A-Za-z0-9._@+-]+$/.test(name)) return undefined;
    const leave = await this.turns.enter(source.id, signal);
    try {
      return await this.asking(source, (client) => this.identify(source, client, name, password));
    } finally {
      leave();
    }
  }

  /**
   * Everyone whom the directory lets in. Only a directory that is searched by an account of its own can be asked.
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

  /** The one entry of that name, after a bind with its password; the connection is bound so that it can be searched. */
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
    // Without a name the directory is searched as anyone may.
    await client.bind(source.settings.bindDn, source.settings.bindDn === "" ? "" : secret);
  }

  /** @throws Failure 503 `source.unreachable`: what the directory does not do is not for whoever signs in to know */
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

/** The entry that a filter finds, when it finds one and no more. */
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
    // More than two, or no such place in the tree: not one.
    if (isAnswer(error) && (error.code === 4 || error.code === NO_SUCH_OBJECT)) return undefined;
    throw error;
  }
}

/** The attributes that are needed, and which of them are bytes. */
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

/** The names of the groups that the entry is in; undefined where groups are not looked at. */
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

/** With a filter for groups, who is in none of them is not let in. */
function isAdmitted(source: LdapSource, groups: readonly string[] | undefined): boolean {
  const filters = source.kind === "ldap" && source.settings.usesGroups && source.settings.groupFilter !== "";
  return !filters || (groups !== undefined && groups.length > 0);
}

type Rights = Pick<OutsideIdentity, "groups" | "isAdmin" | "isRestricted">;

/** @param typed the name that was typed, where no attribute says it. @returns undefined: the entry has no name */
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
    // Whoever runs the site runs the directory, or trusts it.
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

/** Names of attributes are the same in any letter case. */
function valuesOf(entry: Entry, attribute: string): (string | Uint8Array)[] {
  if (attribute === "") return [];
  const key = Object.keys(entry).find((name) => name.toLowerCase() === attribute.toLowerCase());
  return key === undefined ? [] : [entry[key] ?? []].flat();
}
