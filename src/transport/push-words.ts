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

/** What a client prints after each ref when all of them are refused. */
export const DECLINED = "pre-receive hook declined";

/** Says messages in the language that the pusher's account is set to. */
const pusherWords = ({ user }: Principal) => pushWords.in(languageOfCode(user?.language ?? "") ?? english);

/** And what it prints before them. */
export const refusalText = (refusals: readonly PushRefusal[], principal: Principal) =>
  `error:\n${refusals.map((refusal) => `error: ${refusal(pusherWords(principal))}\n`).join("")}error:`;

/** What can be done where an object is refused for these problems (ids of fsck). */
export function objectAdvice(problems: readonly string[], principal: Principal): string | undefined {
  const isPadded = problems.length > 0 && problems.every((id) => id === "zeroPaddedFilemode");
  return isPadded ? refusalText([(t) => t("paddedModes")], principal) : undefined;
}

function troubleText(trouble: DiskTrouble, principal: Principal): string {
  const t = pusherWords(principal);
  if (trouble === "full") return t("diskFull");
  return trouble === "readonly" ? t("diskReadOnly") : t("diskFailed");
}

/** What a pusher may hear of an error that is the server's. */
export function errorText(error: unknown, principal: Principal, messages: ErrorMessages): string | undefined {
  if (error instanceof Failure) return messages.of(error);
  if (error instanceof JobTimedOut) return pusherWords(principal)("tookTooLong");
  const trouble = diskTrouble(error);
  if (trouble) return troubleText(trouble, principal);
  const stored = storageFailure(error);
  return stored && messages.of(stored);
}
