import type { Database } from "../../db/database.ts";
import type { Issue } from "../types.ts";

type Pinned = Pick<Issue, "repoId" | "isPull" | "pinOrder">;

/** Those behind it move up. */
export function closePinGap(db: Database, { repoId, isPull, pinOrder }: Pinned): void {
  db.query("UPDATE issues SET pin_order = pin_order - 1 WHERE repo_id = ? AND is_pull = ? AND pin_order > ?").run(
    repoId,
    isPull ? 1 : 0,
    pinOrder,
  );
}
