/**
 * Every merge of some histories once more, through the API of the executable, against `git merge-tree`.
 *
 *     bun tests/bench/merge-histories.ts BARE_REPOSITORY…
 */
import { basename } from "node:path";
import { mergeAgain } from "../api/pulls/merges-again.ts";
import { builtExecutable, startHearth } from "../git/hosts/hearth.ts";

const hearth = await startHearth({ command: builtExecutable() });
try {
  for (const dir of process.argv.slice(2)) {
    const name = basename(dir, ".git");
    const url = hearth.origin.replace(/\/$/, "");
    const headers = { authorization: `token ${hearth.token}`, "content-type": "application/json" };
    await fetch(`${url}/api/v1/user/repos`, { method: "POST", headers, body: JSON.stringify({ name }) });
    const begun = performance.now();
    const host = { url, token: hearth.token, repo: `${hearth.login}/${name}` };
    const { different, ...counts } = await mergeAgain(host, dir);
    console.log(name, counts, `different: ${different.length}`, `${Math.round((performance.now() - begun) / 1000)} s`);
    for (const line of different.slice(0, 20)) console.log("  ", line);
  }
} finally {
  await hearth[Symbol.asyncDispose]();
}
