import type { User } from "../../src/access/user.ts";
import type { Block } from "../../src/blocks/service.ts";
import type { Call } from "../../src/http/route.ts";
import { BadRequest, NotFound } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import type { FormState } from "../components/form.tsx";
import { readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { personOf } from "../people.ts";
import type { BlockItem } from "./list.tsx";
import { blocksWords } from "./words/index.ts";

/** The outcome of one of the forms: a success message, or the form with its errors. */
export type BlockChange = { readonly done: string } | { readonly refused: FormState<"blockee" | "note"> };

const ACTIONS: ReadonlySet<string> = new Set(["block", "unblock", "note"]);

/**
 * Blocks, unblocks or adds a note, as submitted.
 * @param blocker the account or organization, and how it finds the user named in the form (throws NotFound)
 */
export async function changeBlock(
  { blocks }: WebServices,
  call: Call,
  blocker: { readonly account: User; named(login: string): User; readonly mayBlock?: (user: User) => boolean },
): Promise<BlockChange> {
  const form = await readForm(call);
  const t = wordsFor(call, blocksWords);
  const action = form.text("action");
  if (!ACTIONS.has(action)) throw new NotFound();
  const blockee = form.text("blockee").slice(0, 255);
  const note = form.text("note").slice(0, 1000);
  try {
    const user = blocker.named(blockee);
    switch (action) {
      case "unblock":
        blocks.unblock(call.principal, blocker.account, user);
        return { done: t("userUnblocked", { name: user.login }) };
      case "note":
        blocks.setNote(blocker.account, user, note);
        return { done: t("noteSaved") };
      default:
        if (blocker.mayBlock && !blocker.mayBlock(user)) throw new BadRequest("block.not-allowed");
        blocks.block(call.principal, blocker.account, user, note);
        return { done: t("userBlocked", { name: user.login }) };
    }
  } catch (error) {
    const text = error instanceof NotFound ? t("noSuchAccount") : refusalOf(call, error);
    return { refused: { values: { blockee, note }, errors: { blockee: text } } };
  }
}

export function blockItem({ user, note }: Block): BlockItem {
  return { person: personOf(user), note };
}
