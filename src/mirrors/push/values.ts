import { BadRequest, Failure, Unauthorised } from "../../kernel/errors.ts";
import { randomBytes } from "../../kernel/ids.ts";
import { parseRemoteAddress, type RemoteAddress } from "../../remotes/address.ts";
import type { RemoteService } from "../../remotes/service.ts";

const MAX_BRANCHES_CHARACTERS = 1_000;

/** The target's address, if it may be connected to. @throws BadRequest, Unauthorised in the codes of push mirrors */
export async function checkAddress(text: string, remotes: RemoteService): Promise<RemoteAddress> {
  const field = "remote_address";
  try {
    const address = parseRemoteAddress(text, field);
    await remotes.check(address);
    return address;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    switch (error.code) {
      case "remote.unknown-scheme":
        throw new BadRequest("push-mirror.bad-protocol", { field });
      case "remote.bad-address":
      case "remote.bad-url":
        throw new BadRequest("push-mirror.bad-address", { field });
      case "remote.local-path":
      case "remote.forbidden-host":
      case "remote.unresolved":
        throw new Unauthorised("push-mirror.address-not-allowed", { field });
      default:
        throw new BadRequest("push-mirror.unknown-error", { field });
    }
  }
}

/** @throws BadRequest */
export function checkBranches(text: string): string[] {
  const branches = text
    .split(",")
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "");
  if (text.length > MAX_BRANCHES_CHARACTERS || branches.some((pattern) => /[\x00-\x20\x7f]/.test(pattern)))
    throw new BadRequest("push-mirror.bad-branches", { field: "branches" });
  return branches;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** A mirror's name for clients. */
export function newRemoteName(): string {
  return `remote_mirror_${[...randomBytes(10)].map((byte) => LETTERS[byte % LETTERS.length]).join("")}`;
}
