import type { Flash } from "../../src/http/cookies.ts";
import type { Call } from "../../src/http/route.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import { wordsFor } from "../language.ts";
import { homeOf } from "../repos/frame.ts";
import { itemBinWords } from "./words/index.ts";

/** A message about a deletion, with an undo button while it can be undone. */
export function deletedFlash(
  call: Call,
  seen: SeenRepo,
  what: { readonly number: number; readonly isComment: boolean },
  binnedId: number | undefined,
): Flash {
  const t = wordsFor(call, itemBinWords);
  const text = what.isComment ? t("commentDeleted") : t("itemDeleted", { number: what.number });
  if (binnedId === undefined) return { kind: "success", text };
  const undo = { action: homeOf(seen, "issues/restore"), id: binnedId, label: t("undo") };
  return { kind: "success", text, undo };
}
