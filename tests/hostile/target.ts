import { type RunningHearth, removeFolder, startHearth } from "../executable/process.ts";
import type { AttackRequest, Reply, Target } from "./attack.ts";

/** Whoever has this in X-Forwarded-For comes from there: the test stands where a reverse proxy would. */
const ENVIRONMENT = { HEARTH_PROXY_TRUSTED: "127.0.0.1", HEARTH_LOG_LEVEL: "warn", HEARTH_REGISTRATION: "open" };

const STRANGER = "203.0.113.7";

export interface Targets {
  readonly target: Target;
  /** The same server with nothing to do. */
  readonly idle: RunningHearth;
  close(): Promise<void>;
}

/** Two servers from `dist/hearth`: one to attack, one to compare with. */
export async function startTargets(scale: number): Promise<Targets> {
  const [attacked, idle] = await Promise.all([
    startHearth({ environment: ENVIRONMENT }),
    startHearth({ environment: ENVIRONMENT }),
  ]);
  const ask = async (path: string, request: AttackRequest = {}): Promise<Reply> => {
    const answer = await fetch(attacked.url + path, {
      method: request.method ?? (request.body === undefined ? "GET" : "POST"),
      redirect: "manual",
      headers: {
        "x-forwarded-for": request.from ?? STRANGER,
        ...(request.token === undefined ? {} : { authorization: `token ${request.token}` }),
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: request.body as string }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const json = async (
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Record<string, unknown>> => {
    const answer = await ask(path, {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text) as Record<string, unknown>;
  };
  const asRoot = { authorization: `token ${attacked.token}` };
  const login = "stranger";
  const password = "a strange password";
  await json(
    "/api/v1/admin/users",
    { username: login, email: "stranger@example.org", password, must_change_password: false },
    asRoot,
  );
  const basic = { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}` };
  const token = String((await json(`/api/v1/users/${login}/tokens`, { name: "t", scopes: ["all"] }, basic))["sha1"]);
  await json("/api/v1/user/repos", { name: "target", auto_init: true }, { authorization: `token ${token}` });
  return {
    idle,
    target: { ...attacked, scale, ask, stranger: { login, token, password, from: STRANGER, repo: `/${login}/target` } },
    close: async () => {
      await Promise.all([attacked.kill("SIGKILL"), idle.kill("SIGKILL")]);
      removeFolder(attacked.dataDir);
      removeFolder(idle.dataDir);
    },
  };
}
