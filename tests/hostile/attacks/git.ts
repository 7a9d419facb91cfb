import { mkdtempSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git, removeFolder } from "../../executable/process.ts";
import { bombs } from "../../git/hostile/bombs.ts";
import { type Attack, type Attacker, newAttacker, type Target } from "../attack.ts";
import { type NewRef, push, pushBody, remoteOf } from "../raw-push.ts";

/** Of a commit that is not there. */
const pushOf = (pack: Uint8Array) => pushBody([["refs/heads/main", "1".repeat(40)]], pack);

/** Clones and pushes as somebody who has nothing to do with it. @throws Error when it does not come to its end soon */
async function othersCloneAndPush(target: Target, name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-other-"));
  const remote = remoteOf(target, { login: "root1", token: target.token }, name);
  const asOther = (cwd: string, ...words: string[]) =>
    git(cwd, "-c", "http.extraHeader=X-Forwarded-For: 192.0.2.77", ...words);
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error("another one's clone and push waited 20 s")), 20_000).unref(),
  );
  try {
    writeFileSync(join(folder, "file"), String(Math.random()));
    await git(folder, "init", "-q");
    await git(folder, "add", "file");
    await git(folder, "commit", "-qm", "One");
    await Promise.race([asOther(folder, "push", "-qf", remote, "HEAD:main"), late]);
    await Promise.race([asOther(folder, "clone", "-q", remote, "copy"), late]);
  } finally {
    removeFolder(folder);
  }
}

/** Who pushes that much waits for themselves: after five minutes their client does no longer. @throws any other error */
function lostPatience(error: unknown): void {
  if (!(error instanceof DOMException && error.name === "TimeoutError")) throw error;
}

const attackers = async (target: Target, count: number, prefix: string) =>
  Promise.all(Array.from({ length: count }, (_, at) => newAttacker(target, `${prefix}${at}`, `198.51.100.${at + 1}`)));

let crowd: Attacker[] = [];

/** Opens requests whose end never comes, does the work, and lets go of them. */
async function whileHeld(
  target: Target,
  requests: readonly { readonly head: string; readonly body: Uint8Array; readonly reads: boolean }[],
  work: () => Promise<void>,
) {
  const { hostname, port } = new URL(target.url);
  const sockets = requests.map(({ head, body, reads }) => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => socket.destroy());
    if (reads) socket.on("data", () => {});
    else socket.pause();
    socket.once("connect", () => {
      socket.write(head);
      socket.write(body);
    });
    return socket;
  });
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write("a");
  }, 200);
  try {
    await Bun.sleep(500);
    await work();
  } finally {
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
  }
}

const headOf = (path: string, who: Attacker, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: token ${who.token}\r\nX-Forwarded-For: ${who.from}\r\nContent-Type: application/x-git-${type}-request\r\nContent-Length: ${length}\r\n\r\n`;

export const gitAttacks: readonly Attack[] = [
  ...[0, 4, 7, 8].map((number): Attack => {
    const { story, pack } = bombs[number]!;
    return {
      name: `16 packs at once, from four accounts: ${story}`,
      prepare: async (target) => {
        if (crowd.length === 0) crowd = await attackers(target, 4, "crowd");
      },
      run: async (target) => {
        const body = pushOf(pack());
        await Promise.all(
          Array.from({ length: 16 * Math.min(target.scale, 4) }, (_, at) =>
            push(target, crowd[at % 4]!, `bomb${number}-${at}`, body).catch(lostPatience),
          ),
        );
      },
    };
  }),
  {
    name: "a push of 70 KB whose objects are 20,000 empty folders in folders",
    run: async (target) => {
      const body = pushOf(bombs.find(({ story }) => story.startsWith("folders nested"))!.pack());
      for (let count = 0; count < target.scale; count++) await push(target, target.stranger, `nested${count}`, body);
    },
  },
  {
    name: "200 pushes and fetches that send a character at a time, beside a clone and a push",
    prepare: async (target) => {
      if (crowd.length === 0) crowd = await attackers(target, 4, "crowd");
    },
    run: (target) => {
      const body = pushOf(Buffer.concat([Buffer.from("PACK\0\0\0\x02\0\0\0\x02", "latin1")]));
      const requests = Array.from({ length: 200 }, (_, at) => {
        const who = crowd[at % 4]!;
        return at % 2 === 0
          ? {
              head: headOf(`/${who.login}/slow${at}.git/git-receive-pack`, who, "receive-pack", 10_000_000),
              body,
              reads: true,
            }
          : {
              head: headOf(`${target.stranger.repo}.git/git-upload-pack`, who, "upload-pack", 1_000_000),
              body: Buffer.from("0032want "),
              reads: true,
            };
      });
      return whileHeld(target, requests, () =>
        othersCloneAndPush(target, `beside-slow${Math.random().toString(36).slice(2)}`),
      );
    },
  },
  {
    name: "200 clones of 16 MiB from one address that read nothing, beside a clone and a push",
    prepare: async (target) => {
      const folder = mkdtempSync(join(tmpdir(), "hearth-large-"));
      writeFileSync(join(folder, "large"), crypto.getRandomValues(new Uint8Array(65_536)));
      for (let at = 0; at < 256; at++)
        writeFileSync(join(folder, `large${at}`), crypto.getRandomValues(new Uint8Array(65_536)));
      await git(folder, "init", "-q");
      await git(folder, "add", ".");
      await git(folder, "commit", "-qm", "Large");
      const remote = remoteOf(target, target.stranger, "large");
      await git(folder, "push", "-q", remote, "HEAD:main");
      largeTip = await git(folder, "rev-parse", "HEAD");
      removeFolder(folder);
    },
    run: (target) => {
      const want = `0032want ${largeTip}\n00000009done\n`;
      const who = { ...target.stranger, from: "203.0.113.50" };
      const head = headOf(`/${target.stranger.login}/large.git/git-upload-pack`, who, "upload-pack", want.length);
      const requests = Array.from({ length: 200 }, () => ({ head, body: Buffer.from(want), reads: false }));
      return whileHeld(target, requests, () =>
        othersCloneAndPush(target, `beside-deaf${Math.random().toString(36).slice(2)}`),
      );
    },
  },
  {
    name: "9,900 branches in one push, and their lists",
    prepare: async (target) => {
      const folder = mkdtempSync(join(tmpdir(), "hearth-refs-"));
      await git(folder, "init", "-q");
      await git(folder, "commit", "-q", "--allow-empty", "-m", "One");
      await git(folder, "push", "-q", remoteOf(target, target.stranger, "refs"), "HEAD:main");
      onlyCommit = await git(folder, "rev-parse", "HEAD");
      removeFolder(folder);
    },
    run: async (target) => {
      const { login, token } = target.stranger;
      const refs = Array.from({ length: 9_900 }, (_, at): NewRef => [`refs/heads/many/${at}`, onlyCommit]);
      const answer = await push(target, target.stranger, "refs", pushBody(refs));
      if (!answer.text.includes("ok refs/heads/many/9899"))
        throw new Error(`the push failed: ${answer.text.slice(0, 200)}`);
      const api = `/api/v1/repos/${login}/refs`;
      for (const path of [`${api}/branches`, `${api}/git/refs`, `/${login}/refs/branches`, `/${login}/refs`])
        await target.ask(path, { token });
    },
  },
];

let onlyCommit = "";
let largeTip = "";
