import * as fs from "node:fs";
import { join } from "node:path";
import git from "isomorphic-git";
import http from "isomorphic-git/http/node";
import type { Client } from "./scene.ts";

const author = { name: "Isomorphic", email: "isomorphic@example.org" };

/** The credentials of an address; isomorphic-git wants them apart. */
function signIn(url: string) {
  const { username, password } = new URL(url);
  return () => ({ username, password });
}

function bare(url: string): string {
  const address = new URL(url);
  address.username = address.password = "";
  return address.href;
}

export const isomorphic: Client = {
  name: "isomorphic-git",
  prepare: async () => undefined,
  clone: (url, dir) => git.clone({ fs, http, dir, url: bare(url), ref: "main", onAuth: signIn(url) }),
  fetch: async (url, dir) => {
    await git.pull({ fs, http, dir, url: bare(url), ref: "main", author, fastForwardOnly: true, onAuth: signIn(url) });
  },
  push: async (url, dir, path) => {
    fs.writeFileSync(join(dir, path), "by isomorphic-git\n");
    await git.add({ fs, dir, filepath: path });
    await git.commit({ fs, dir, message: "by isomorphic-git", author });
    const { ok, error } = await git.push({ fs, http, dir, url: bare(url), ref: "main", onAuth: signIn(url) });
    if (!ok) throw new Error(error ?? "the push was refused");
  },
};
