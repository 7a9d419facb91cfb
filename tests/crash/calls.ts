/** What became of a request: `acknowledged` is the word of the server that it was done. */
export interface Outcome {
  readonly acknowledged: boolean;
  /** 0: no answer came. */
  readonly status: number;
  readonly body: unknown;
}

export const lost: Outcome = { acknowledged: false, status: 0, body: undefined };

/** A REST call with the administrator's token. Never throws: a server that dies gives no answer. */
export async function call(
  at: { readonly url: string; readonly token: string },
  method: string,
  path: string,
  body?: unknown,
  authorization = `token ${at.token}`,
): Promise<Outcome> {
  try {
    const answer = await fetch(`${at.url}/api/v1${path}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get("content-type") ?? "") && text !== "";
    return { acknowledged: answer.ok, status: answer.status, body: isJson ? JSON.parse(text) : text };
  } catch {
    return lost;
  }
}

/** Sends a file, by itself or as a part of a form, to an address below the server's own. Never throws either. */
export async function sendFile(
  at: { readonly url: string; readonly token: string },
  method: string,
  path: string,
  body: string | FormData,
): Promise<Outcome> {
  try {
    const answer = await fetch(`${at.url}${path}`, { method, headers: { authorization: `token ${at.token}` }, body });
    return { acknowledged: answer.ok, status: answer.status, body: await answer.text() };
  } catch {
    return lost;
  }
}

/** Sends an object as git-lfs does. Never throws either. */
export async function sendLargeFile(
  at: { readonly url: string; readonly token: string },
  repo: string,
  content: string,
): Promise<Outcome> {
  const oid = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  try {
    const answer = await fetch(`${at.url}/root1/${repo}.git/info/lfs/objects/${oid}/${Buffer.byteLength(content)}`, {
      method: "PUT",
      headers: { authorization: `Basic ${Buffer.from(`root1:${at.token}`).toString("base64")}` },
      body: content,
    });
    return { acknowledged: answer.ok, status: answer.status, body: await answer.text() };
  } catch {
    return lost;
  }
}

/** Real git, whatever comes of it. */
export async function tryGit(
  cwd: string,
  ...args: string[]
): Promise<{ readonly acknowledged: boolean; readonly out: string; readonly said: string }> {
  const child = Bun.spawn(
    ["git", "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "gc.auto=0", ...args],
    {
      cwd,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: cwd,
        LC_ALL: "C",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_TERMINAL_PROMPT: "0",
      },
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [out, said] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { acknowledged: (await child.exited) === 0, out: out.trim(), said };
}

/** The address real git pushes to. */
export function gitAddress(at: { readonly url: string; readonly token: string }, repo: string): string {
  return `${at.url.replace("//", `//x:${at.token}@`)}/root1/${repo}.git`;
}

export function field(body: unknown, ...path: (string | number)[]): unknown {
  let at = body;
  for (const name of path) at = typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined;
  return at;
}
