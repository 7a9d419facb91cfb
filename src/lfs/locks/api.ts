import { type Call, param, type Route } from "../../http/route.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import { BadRequest } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import { lfsJson } from "../answers.ts";
import { lfsFields, lfsRepo, lfsRoute, textOf } from "../routes.ts";
import type { LfsLevel, LfsLock } from "../types.ts";
import { holderOf } from "./service.ts";

/** Locks of files (contract git-content.md 16.5). */
export function lockRoutes(services: Services): Route[] {
  const { identity, lfsAccess, lfsLocks } = services;
  const repoFor = (call: Call, level: LfsLevel, refusal: string) => lfsRepo(services, call, level, refusal, true);

  const shown = (locks: readonly LfsLock[]) => {
    const owners = identity.byIds([...new Set(locks.map(({ ownerId }) => ownerId))]);
    return locks.map(({ createdAt, id, ownerId, path }) => ({
      id: String(id),
      path,
      locked_at: rfc3339(createdAt),
      owner: { name: owners.get(ownerId)?.login ?? "" },
    }));
  };
  const shownOne = (lock: LfsLock) => shown([lock])[0];
  const nextOf = (next: number | undefined) => (next === undefined ? {} : { next_cursor: String(next) });

  const list = (call: Call): Response => {
    const seen = repoFor(call, "read", "lfs.no-lock-list");
    const { query } = call;
    const id = query.get("id") ?? "";
    if (id !== "") {
      if (!/^\d{1,15}$/.test(id)) throw new BadRequest("lfs.bad-lock-id", { field: "id" });
      const lock = lfsLocks.find(seen, Number(id));
      return lfsJson({ locks: lock ? shown([lock]) : [] });
    }
    const path = query.get("path") ?? "";
    if (path !== "") {
      const lock = lfsLocks.on(seen, path);
      return lfsJson({ locks: lock ? shown([lock]) : [] });
    }
    const { locks, next } = lfsLocks.list(seen, numberIn(query.get("cursor")), numberIn(query.get("limit")));
    return lfsJson({ locks: shown(locks), ...nextOf(next) });
  };

  const create = async (call: Call): Promise<Response> => {
    const before = repoFor(call, "write", "lfs.no-lock");
    const { path } = await lfsFields(call);
    const seen = lfsAccess.still(before, "write", "lfs.no-lock");
    const { isNew, lock } = lfsLocks.create(seen, textOf(path));
    if (isNew) return lfsJson({ lock: shownOne(lock) }, 201);
    return lfsJson({ lock: shownOne(lock), message: "already created lock" }, 409);
  };

  const verify = async (call: Call): Promise<Response> => {
    const before = repoFor(call, "write", "lfs.no-lock-verify");
    const { cursor, limit } = await lfsFields(call);
    const seen = lfsAccess.still(before, "write", "lfs.no-lock-verify");
    const { query } = call;
    // Some clients send it in the body, others in the query.
    const page = lfsLocks.list(seen, numberIn(query.get("cursor") ?? cursor), numberIn(query.get("limit") ?? limit));
    const holder = holderOf(seen);
    return lfsJson({
      ours: shown(page.locks.filter(({ ownerId }) => ownerId === holder)),
      theirs: shown(page.locks.filter(({ ownerId }) => ownerId !== holder)),
      ...nextOf(page.next),
    });
  };

  const unlock = async (call: Call): Promise<Response> => {
    const before = repoFor(call, "write", "lfs.no-unlock");
    const { force } = await lfsFields(call);
    const seen = lfsAccess.still(before, "write", "lfs.no-unlock");
    if (force !== undefined && typeof force !== "boolean") throw new BadRequest("lfs.bad-body");
    const id = param(call, "id");
    if (!/^\d{1,15}$/.test(id)) throw new BadRequest("lfs.bad-lock-id", { field: "id" });
    return lfsJson({ lock: shownOne(lfsLocks.remove(seen, Number(id), force === true)) });
  };

  return [
    lfsRoute({ method: "POST", path: "locks", handle: create }),
    lfsRoute({ method: "GET", path: "locks", handle: list }),
    lfsRoute({ method: "POST", path: "locks/verify", handle: verify }),
    lfsRoute({ method: "POST", path: "locks/:id/unlock", handle: unlock }),
  ];
}

/** Anything that is not a number counts as absent. */
function numberIn(given: unknown): number {
  const text = typeof given === "number" || typeof given === "string" ? String(given) : "";
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
