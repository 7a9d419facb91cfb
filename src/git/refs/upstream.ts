import type { Config } from "../config/config.ts";

/** What a branch follows, or is pushed to (git-config(1), `branch.<name>.*`). */
export interface Upstream {
  /** `origin`, or `.` for this repository. */
  readonly remote: string;
  /** The ref there. */
  readonly merge: string;
  /** The ref here that shows where that ref was; undefined where none is fetched. */
  readonly tracking: string | undefined;
}

const HEADS = "refs/heads/";

/** @param branch full name of a ref; only `refs/heads/…` have an upstream */
export function upstreamOf(config: Config, branch: string): Upstream | undefined {
  const name = branch.startsWith(HEADS) ? branch.slice(HEADS.length) : undefined;
  if (name === undefined) return undefined;
  const remote = config.get(`branch.${name}.remote`);
  const merge = config.get(`branch.${name}.merge`);
  if (remote === undefined || merge === undefined) return undefined;
  return { remote, merge, tracking: remote === "." ? merge : trackingOf(config, remote, merge) };
}

/** The remote a branch is pushed to, where one is named for it. */
export function pushRemoteOf(config: Config, branch: string): string | undefined {
  const name = branch.startsWith(HEADS) ? branch.slice(HEADS.length) : "";
  return (
    config.get(`branch.${name}.pushremote`) ?? config.get("remote.pushdefault") ?? config.get(`branch.${name}.remote`)
  );
}

/**
 * The ref here that shows what a push of the branch will move, as `push.default = simple` has it, which is git's
 * default; undefined where such a push has no single place to go to.
 */
export function pushTargetOf(config: Config, branch: string): string | undefined {
  const remote = pushRemoteOf(config, branch) ?? "origin";
  const target = trackingOf(config, remote, branch);
  if (config.boolean(`remote.${remote}.mirror`)) return target;
  return target !== undefined && target === upstreamOf(config, branch)?.tracking ? target : undefined;
}

/** Where a fetch from the remote puts a ref, by its refspecs. */
function trackingOf(config: Config, remote: string, ref: string): string | undefined {
  for (const text of config.all(`remote.${remote}.fetch`)) {
    const [from, to] = (text ?? "").replace(/^\+/, "").split(":");
    if (from === undefined || !to) continue;
    const star = from.indexOf("*");
    if (star < 0) {
      if (from === ref) return to;
      continue;
    }
    const [start, end] = [from.slice(0, star), from.slice(star + 1)];
    if (ref.length >= start.length + end.length && ref.startsWith(start) && ref.endsWith(end))
      return to.replace("*", () => ref.slice(start.length, ref.length - end.length));
  }
  return undefined;
}
