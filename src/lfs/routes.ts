import { type Fields, readJsonFields, SMALL_BODY_BYTES } from "../http/body.ts";
import { type Access, type Call, type Method, param, type Route } from "../http/route.ts";
import { BadRequest, Failure, ValidationFailed } from "../kernel/errors.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { Services } from "../services.ts";
import { LFS_TYPE, refuseLfs } from "./answers.ts";
import type { LfsLevel } from "./types.ts";

/** Shared by the routes of large files (contract git-content.md 16.1). */

/** Checked by LfsAccess: the level a batch needs depends on its body. */
const access: Access = { who: "anyone", scopes: [], publicOnly: "filtered", beforeSignIn: true };

export interface LfsRoute {
  readonly method: Method;
  /** Below `/{owner}/{repo}/info/lfs/`. */
  readonly path: string;
  /** It transfers bytes; `Accept` is not checked. */
  readonly isTransfer?: boolean;
  handle(call: Call): Response | Promise<Response>;
}

export function lfsRoute({ handle, isTransfer = false, method, path }: LfsRoute): Route {
  return {
    surface: "lfs",
    access,
    refuse: refuseLfs,
    method,
    path: `/:owner/:repo/info/lfs/${path}`,
    handle: (call) => {
      if (!isTransfer) requireAccept(call.request.headers.get("accept"));
      return handle(call);
    },
  };
}

/** @throws Failure 415 */
function requireAccept(accept: string | null): void {
  if (accept?.split(";")[0]?.trim() !== LFS_TYPE) throw new Failure(415, "lfs.bad-accept");
}

/** The repository that the address names, if the request is permitted. @throws what `LfsAccess.target` throws */
export function lfsRepo(
  { lfsAccess }: Pick<Services, "lfsAccess">,
  call: Call,
  level: LfsLevel,
  refusal: string,
  isAboutLocks = false,
): SeenRepo {
  const rest = call.target.split("/").slice(3).join("/");
  return lfsAccess.target({
    principal: call.principal,
    owner: param(call, "owner"),
    name: param(call, "repo"),
    level,
    isAboutLocks,
    refusal,
    redirect: (owner, name) => `/${encodeURIComponent(owner)}/${encodeURIComponent(name)}.git/${rest}`,
  });
}

/** The members of a JSON body. @throws BadRequest it is not an object */
export async function lfsFields(call: Call): Promise<Fields> {
  try {
    return (await readJsonFields(call, SMALL_BODY_BYTES)).fields;
  } catch (error) {
    throw error instanceof ValidationFailed ? new BadRequest("lfs.bad-body") : error;
  }
}

/** An optional text in a body. @throws BadRequest it is something else */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") throw new BadRequest("lfs.bad-body");
  return value;
}
