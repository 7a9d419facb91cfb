import ldap from "ldapjs";

/** An LDAP directory for tests, in memory; values are compared in any letter case, as directories do. */
export interface TestDirectory {
  readonly port: number;
  /** By DN; `userPassword` is what binds. */
  readonly entries: Map<string, Record<string, string[]>>;
  /** The DNs of binds that were tried; empty for a visitor. */
  readonly binds: string[];
  close(): Promise<void>;
}

/** What the library hands over; its types say nothing of it. */
interface LdapRequest {
  readonly dn: { toString(): string };
  readonly baseObject?: { toString(): string };
  readonly credentials: string;
  readonly scope: string | number;
  readonly filter: { toString(): string };
}
interface LdapResponse {
  /** Those that were asked for. */
  attributes: string[];
  send(entry: { dn: string; attributes: Record<string, string[]> }): void;
  end(): void;
}
type Next = (error?: object) => void;

const BASE = "dc=example,dc=org";
const tidy = (dn: string) => dn.toLowerCase().replace(/\s*([,=])\s*/g, "$1");
const folded = (entry: Record<string, string[]>) =>
  Object.fromEntries(
    Object.entries(entry).map(([key, values]) => [key.toLowerCase(), values.map((v) => v.toLowerCase())]),
  );

export async function aDirectory(): Promise<TestDirectory> {
  const entries = new Map<string, Record<string, string[]>>();
  const binds: string[] = [];
  const find = (dn: string) => [...entries].find(([own]) => tidy(own) === tidy(dn));
  const server = ldap.createServer();

  const bind = (request: LdapRequest, response: LdapResponse, next: Next) => {
    const dn = tidy(request.dn.toString());
    binds.push(dn);
    const [, entry] = find(dn) ?? [];
    // As real ones do: without a password anyone binds, as a visitor.
    if (request.credentials !== "" && !entry?.["userPassword"]?.includes(request.credentials))
      return next(new ldap.InvalidCredentialsError());
    response.end();
    return next();
  };
  server.bind(BASE, bind);
  server.bind("", bind);
  server.search(BASE, (request: LdapRequest, response: LdapResponse, next: Next) => {
    const base = tidy(String(request.baseObject ?? request.dn));
    // The library finds those that are asked for by names in small letters only; this one shows all.
    response.attributes = [];
    const filter = ldap.parseFilter(request.filter.toString().toLowerCase());
    for (const [dn, entry] of entries) {
      const own = tidy(dn);
      const isInside = ["base", 0].includes(request.scope) ? own === base : own === base || own.endsWith(`,${base}`);
      if (!isInside || !filter.matches(folded(entry))) continue;
      const shown = Object.entries(entry).filter(([key]) => key !== "userPassword");
      response.send({ dn, attributes: Object.fromEntries(shown) });
    }
    response.end();
    return next();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: Number(new URL(server.url.replace("ldap:", "http:")).port),
    entries,
    binds,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A person under `ou=people`. */
export function aPerson(directory: TestDirectory, uid: string, more: Record<string, string[]> = {}): string {
  const dn = `uid=${uid},ou=people,${BASE}`;
  directory.entries.set(dn, {
    objectClass: ["person"],
    uid: [uid],
    givenName: ["Given"],
    sn: ["Name"],
    mail: [`${uid.toLowerCase()}@example.org`],
    userPassword: [`${uid}-password`],
    ...more,
  });
  return dn;
}

/** A group under `ou=groups` with these members. */
export function aGroup(directory: TestDirectory, cn: string, members: readonly string[]): string {
  const dn = `cn=${cn},ou=groups,${BASE}`;
  directory.entries.set(dn, { objectClass: ["groupOfNames"], cn: [cn], member: [...members] });
  return dn;
}
