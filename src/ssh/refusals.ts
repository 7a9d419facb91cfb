import type { ErrorMessages } from "../http/error-words.ts";
import type { Failure } from "../kernel/errors.ts";
import type { KeyHolder } from "../keys/ssh/holders.ts";
import { NotWritable } from "../transport/access.ts";

/** The request, for messages about it. */
export interface Asked {
  readonly holder: KeyHolder;
  /** The account's name; a deploy key has none. */
  readonly login: string | undefined;
  /** `owner/name`, as requested. */
  readonly repo: string;
  readonly writes: boolean;
}

/** The message for a failure (contract git-content.md 14.4). Anything unreadable is reported as missing. */
export function refusalWords(failure: Failure, asked: Asked, messages: ErrorMessages): string {
  if (failure instanceof NotWritable || failure.code === "git.scope-missing") return notAuthorized(asked);
  switch (failure.code) {
    case "git.repository-missing":
    case "repository.public-only":
      return `Cannot find repository: ${asked.repo}`;
    case "git.archived":
      return `Repo: ${asked.repo} is archived.`;
    case "git.mirror":
      return `Mirror Repository ${asked.repo} is read-only`;
    default:
      return messages.of(failure);
  }
}

/** Names the account and the key with its id; for a deploy key, only the key. */
export function notAuthorized({ holder, login, repo, writes }: Asked): string {
  const what = `is not authorized to ${writes ? "write" : "read"} to ${repo}.`;
  if (holder.kind === "deploy") return `Deploy Key: ${holder.keyId}:${holder.title} ${what}`;
  const user = `User: ${holder.userId}:${login ?? ""}`;
  return holder.kind === "account"
    ? `${user} with Key: ${holder.keyId}:${holder.title} ${what}`
    : `${user} with Principal: ${holder.name} ${what}`;
}

/** Lines for a terminal: control characters are removed (security rule G12). */
export function errorLines(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/\p{Cc}/gu, ""));
  return `error:\n${lines.map((line) => `error: ${line}\n`).join("")}error:\n`;
}

/** The reply to a request for a shell (contract git-content.md 14.3). */
export function greetingFor(holder: KeyHolder, login: string | undefined): string {
  const [who, by] =
    holder.kind === "account"
      ? [`Hi there, ${login ?? ""}!`, `key named ${holder.title}`]
      : ["Hi there!", holder.kind === "deploy" ? `deploy key named ${holder.title}` : `principal ${holder.name}`];
  return `${who} You've successfully authenticated with the ${by}, but Hearth does not provide shell access.\nIf this is unexpected, please log in with password and setup Hearth under another user.\n`;
}
