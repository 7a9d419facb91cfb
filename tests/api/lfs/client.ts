import { createHash, randomBytes } from "node:crypto";
import { type Answer, type CallOptions, call, type Json, type TestServer, type TestUser } from "../../builders.ts";

/** What git-lfs does over HTTP, as tests do it. */

export const LFS = "application/vnd.git-lfs+json";

export interface Thing {
  readonly oid: string;
  readonly size: number;
  readonly bytes: Buffer;
}

export function aThing(content: string | Uint8Array = randomBytes(40).toString("hex")): Thing {
  const bytes = Buffer.from(content);
  return { oid: createHash("sha256").update(bytes).digest("hex"), size: bytes.length, bytes };
}

export const pointerTo = ({ oid, size }: Pick<Thing, "oid" | "size">): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;

/** How someone comes: with a token as Basic, as git-lfs does. */
export const as = (who: TestUser | undefined): CallOptions => (who ? { basic: [who.login, who.token] } : {});

export interface LfsClient {
  ask<Body = Json>(method: string, path: string, who?: CallOptions, body?: unknown): Promise<Answer<Body>>;
  batch(operation: string, things: readonly Pick<Thing, "oid" | "size">[], who?: CallOptions): Promise<Answer<Batch>>;
  put(thing: Pick<Thing, "oid" | "size">, bytes: Uint8Array, who?: CallOptions): Promise<Answer<Json>>;
  get(oid: string, who?: CallOptions): Promise<Answer<Json>>;
  verify(thing: Pick<Thing, "oid" | "size">, who?: CallOptions): Promise<Answer<Json>>;
}

interface Action {
  readonly href: string;
  readonly header: Readonly<Record<string, string>>;
}
export interface Batch {
  readonly message?: string;
  readonly objects: readonly {
    readonly oid: string;
    readonly size: number;
    readonly error?: { readonly code: number; readonly message: string };
    readonly actions?: Readonly<Record<string, Action>>;
  }[];
}

/** @param at `owner/name` */
export function lfsOf(server: TestServer, at: string): LfsClient {
  const base = `/${at}.git/info/lfs`;
  const ask = <Body>(method: string, path: string, who: CallOptions = {}, body?: unknown) =>
    call<Body>(server, method, `${base}/${path}`, {
      ...who,
      headers: { accept: LFS, ...(body === undefined ? {} : { "content-type": LFS }), ...who.headers },
      body,
    });
  return {
    ask,
    batch: (operation, things, who) =>
      ask("POST", "objects/batch", who, { operation, objects: things.map(({ oid, size }) => ({ oid, size })) }),
    put: ({ oid, size }, bytes, who = {}) =>
      call(server, "PUT", `${base}/objects/${oid}/${size}`, { ...who, body: Buffer.from(bytes) }),
    get: (oid, who = {}) => call(server, "GET", `${base}/objects/${oid}`, who),
    verify: ({ oid, size }, who) => ask("POST", "verify", who, { oid, size }),
  };
}
