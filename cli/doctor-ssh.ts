import { parseListen } from "../src/config/listen.ts";
import type { Config } from "../src/config/schema.ts";
import type { DoctorReport } from "./doctor-report.ts";
import { say } from "./language.ts";

const TIMEOUT_MS = 5_000;

/** Whether the running server accepts git over SSH, by its own report; a stopped server is not a fault. */
export async function checkSsh(config: Config, report: DoctorReport): Promise<void> {
  const listen = config["ssh.listen"];
  if (listen === "") return;
  const status = await askServer(config.listen);
  if (status === "fail") report.fault("checkSsh", say("sshNotListening", { listen }));
  else report.add("checkSsh", [], status === "pass" ? say("soundSsh", { listen }) : say("sshNotAsked"));
}

/** Undefined: no server answers. */
async function askServer(listen: string): Promise<"pass" | "fail" | undefined> {
  const place = parseListen(listen);
  if (!place) return undefined;
  const host = place.hostname === "0.0.0.0" ? "127.0.0.1" : place.hostname === "::" ? "::1" : place.hostname;
  try {
    const answer = await fetch(`http://${host.includes(":") ? `[${host}]` : host}:${place.port}/api/healthz`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { checks } = (await answer.json()) as { checks?: Record<string, { status?: string }[]> };
    const status = checks?.["ssh:listening"]?.[0]?.status;
    return status === "pass" || status === "fail" ? status : undefined;
  } catch {
    return undefined;
  }
}
