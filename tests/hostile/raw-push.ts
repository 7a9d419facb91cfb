import { createHash } from "node:crypto";
import type { Attacker, Reply, Target } from "./attack.ts";

/** Pushes as no git would: any commands with any pack. */

const ZERO = "0".repeat(40);

/** A ref that is to be made, and the commit it is to stand on. */
export type NewRef = readonly [name: string, oid: string];

export function pushBody(refs: readonly NewRef[], pack: Uint8Array = packOfNothing()): Uint8Array {
  const lines = refs.map(([name, oid], at) => {
    const command = `${ZERO} ${oid} ${name}${at === 0 ? "\0report-status side-band-64k" : ""}`;
    return `${(command.length + 4).toString(16).padStart(4, "0")}${command}`;
  });
  return Buffer.concat([Buffer.from(`${lines.join("")}0000`), pack]);
}

export function push(target: Target, who: Attacker, repo: string, body: Uint8Array): Promise<Reply> {
  return target.ask(`/${who.login}/${repo}.git/git-receive-pack`, {
    body,
    headers: { "content-type": "application/x-git-receive-pack-request" },
    token: who.token,
    from: who.from,
  });
}

/** The address that real git takes for that account's repository. */
export function remoteOf(
  { url }: Target,
  { login, token }: { readonly login: string; readonly token: string },
  repo: string,
): string {
  return `${url.replace("://", `://${login}:${token}@`)}/${login}/${repo}.git`;
}

function packOfNothing(): Uint8Array {
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  return Buffer.concat([header, createHash("sha1").update(header).digest()]);
}
