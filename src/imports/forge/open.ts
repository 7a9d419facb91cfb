import type { OutboundClient } from "../../outbound/client.ts";
import type { RemoteCredentials } from "../../remotes/address.ts";
import type { ImportServiceName } from "../types.ts";
import { type ForgeApi, ForgeClient } from "./client.ts";
import { GiteaForge } from "./gitea.ts";
import { GitHubForge } from "./github.ts";
import { GitLabForge } from "./gitlab.ts";
import type { Forge } from "./types.ts";

export interface ForgeAddress {
  readonly service: Exclude<ImportServiceName, "git">;
  /** git's address, without credentials. */
  readonly url: string;
  readonly credentials: RemoteCredentials & { readonly token: string };
}

/** Opens the repository at a git address through the forge's API. */
export function openForge(outbound: OutboundClient, address: ForgeAddress, signal: AbortSignal): Forge {
  const client = new ForgeClient(outbound, apiOf(address), signal);
  switch (address.service) {
    case "github":
      return new GitHubForge(client);
    case "gitlab":
      return new GitLabForge(client);
    default:
      return new GiteaForge(client);
  }
}

function apiOf({ credentials, service, url: text }: ForgeAddress): ForgeApi {
  const url = new URL(text.replace(/^git:/, "https:"));
  const parts = url.pathname
    .replace(/\.git$/i, "")
    .split("/")
    .filter((part) => part !== "");
  const name = parts.slice(-2).join("/");
  const secrets = secretsOf(credentials);
  switch (service) {
    case "github": {
      const isPublic = url.hostname === "github.com";
      const root = isPublic ? `https://api.github.com/repos/${name}` : `${url.origin}/api/v3/repos/${name}`;
      return { root, credentials: byToken(secrets, credentials), sizeName: "per_page" };
    }
    case "gitlab":
      return {
        // Groups can be nested there.
        root: `${url.origin}/api/v4/projects/${parts.map(encoded).join("%2F")}`,
        // If there is no token, the password may be one used with git.
        credentials: (secrets.length > 0 ? secrets : [credentials.password])
          .filter((secret) => secret !== "")
          .map((secret) => ({ "private-token": secret })),
        sizeName: "per_page",
      };
    default:
      return {
        root: `${url.origin}/${[...parts.slice(0, -2), "api/v1/repos", name].join("/")}`,
        credentials: byToken(secrets, credentials),
        sizeName: "limit",
      };
  }
}

/** Path segments are already encoded. */
const encoded = (part: string) => encodeURIComponent(decodeURIComponent(part));

/** Several are separated by commas. */
function secretsOf({ token }: ForgeAddress["credentials"]): string[] {
  return token
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function byToken(
  secrets: readonly string[],
  { password, username }: RemoteCredentials,
): readonly Readonly<Record<string, string>>[] {
  if (secrets.length > 0) return secrets.map((secret) => ({ authorization: `token ${secret}` }));
  if (username === "" && password === "") return [];
  return [{ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` }];
}
