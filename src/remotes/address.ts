import { trimEndOf } from "../git/text-ends.ts";
import { ValidationFailed } from "../kernel/errors.ts";

/** Our credentials for the other server. */
export interface RemoteCredentials {
  readonly username: string;
  readonly password: string;
}

/** A repository on another server. */
export interface RemoteAddress {
  readonly scheme: "http" | "https" | "git";
  /** Without user name and password; may be shown and stored in plain text. */
  readonly url: string;
  /** From `user:password@` in the address. */
  readonly credentials: RemoteCredentials | undefined;
}

export const GIT_PORT = 9418;
const MAX_URL_CHARACTERS = 2_048;

/**
 * Parses the address of a repository on another server: `https://`, `http://` or `git://`. The host is checked when
 * it is connected to.
 * @param field named in the refusal
 * @throws ValidationFailed `remote.bad-address`, `remote.unknown-scheme`; `remote.local-path` no scheme, or `file:`
 */
export function parseRemoteAddress(text: string, field: string): RemoteAddress {
  const bad = () => new ValidationFailed("remote.bad-address", { field });
  const trimmed = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed)?.[1]?.toLowerCase();
  // ssh's form `git@host:path` is not a path.
  const isPath = scheme === undefined && !trimmed.split("/", 1)[0]?.includes(":");
  if (isPath || scheme === "file") throw new ValidationFailed("remote.local-path", { field });
  if (scheme === undefined) throw bad();
  if ((scheme !== "http" && scheme !== "https" && scheme !== "git") || !/^[a-z]+:\/\//i.test(trimmed))
    throw new ValidationFailed("remote.unknown-scheme", { field });
  // The parser would silently remove control characters and turn backslashes into slashes.
  if (trimmed.length > MAX_URL_CHARACTERS || /[\x00-\x20\x7f\\]/.test(trimmed) || !URL.canParse(trimmed)) throw bad();
  const url = new URL(trimmed);
  if (url.hostname === "" || url.pathname.length <= 1) throw bad();
  let credentials: RemoteCredentials | undefined;
  try {
    // Over git:// the path is sent decoded: a NUL or line break would change the meaning of the request.
    if (/[\x00-\x1f\x7f]/.test(decodeURIComponent(url.pathname))) throw bad();
    if (url.username !== "" || url.password !== "")
      credentials = { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  } catch {
    throw bad();
  }
  url.username = "";
  url.password = "";
  url.hash = "";
  return { scheme, url: trimEndOf(url.href, "/"), credentials };
}
