import type { Principal } from "../access/principal.ts";
import type { ErrorMessages } from "../http/error-words.ts";
import { storageFailure } from "../http/storage-failure.ts";
import { type DiskTrouble, diskTrouble } from "../kernel/disk.ts";
import { Failure } from "../kernel/errors.ts";
import { languageOfCode } from "../language/choose.ts";
import { english } from "../language/language.ts";
import { JobTimedOut } from "../workers/pool.ts";
import type { PushRefusal } from "./push-rules.ts";
import { pushWords } from "./words/index.ts";

/** What a client prints after each ref when all are refused. */
export const DECLINED = "pre-receive hook declined";

/** The messages in the language of the pusher's account. */
const pusherWords = ({ user }: Principal) => pushWords.in(languageOfCode(user?.language ?? "") ?? english);

/** What it prints before them. */
export const refusalText = (refusals: readonly PushRefusal[], principal: Principal) =>
  `error:\n${refusals.map((refusal) => `error: ${refusal(pusherWords(principal))}\n`).join("")}error:`;

/** Advice when an object is refused for these problems (ids of fsck). */
export function objectAdvice(problems: readonly string[], principal: Principal): string | undefined {
  const isPadded = problems.length > 0 && problems.every((id) => id === "zeroPaddedFilemode");
  return isPadded ? refusalText([(t) => t("paddedModes")], principal) : undefined;
}

function troubleText(trouble: DiskTrouble, principal: Principal): string {
  const t = pusherWords(principal);
  if (trouble === "full") return t("diskFull");
  return trouble === "readonly" ? t("diskReadOnly") : t("diskFailed");
}

/** What a pusher may be told of a server error. */
export function errorText(error: unknown, principal: Principal, messages: ErrorMessages): string | undefined {
  if (error instanceof Failure) return messages.of(error);
  if (error instanceof JobTimedOut) return pusherWords(principal)("tookTooLong");
  const trouble = diskTrouble(error);
  if (trouble) return troubleText(trouble, principal);
  const stored = storageFailure(error);
  return stored && messages.of(stored);
}
