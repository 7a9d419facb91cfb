import type { PatchInput } from "../../git/diff/patch.job.ts";
import { begun } from "../../http/begun.ts";
import type { Repo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";

/** A change as plain text, streamed from a worker at the client's pace. @throws JobFailed if it cannot be read */
export async function patchAnswer(
  { pool, storage }: Pick<Services, "pool" | "storage">,
  repo: Repo,
  what: PatchInput["what"],
): Promise<Response> {
  const job = pool.start("git.patch", { repoDir: storage.dirOf(repo.id), what }, { lane: "interactive" });
  job.end();
  // A patch that turns out too large aborts the connection, so that nobody mistakes a part for the whole.
  job.result.catch(() => {});
  return new Response(await begun(job.output), {
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
  });
}
