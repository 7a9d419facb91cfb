import type { Refuse } from "../http/route.ts";
import { Overloaded } from "../kernel/errors.ts";

/** The media type of git-lfs (contract git-content.md 16.1). */
export const LFS_TYPE = "application/vnd.git-lfs+json";

export function lfsJson(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: { ...headers, "content-type": LFS_TYPE } });
}

/** Clients ask for credentials when they see the challenge (contract git-content.md 16.2). */
export const refuseLfs: Refuse = (failure, message) => {
  const headers: Record<string, string> =
    failure.status === 401
      ? { "www-authenticate": 'Basic realm="gitea-lfs"' }
      : failure instanceof Overloaded
        ? { "retry-after": String(failure.retryAfterSeconds) }
        : {};
  return lfsJson({ message, ...failure.details }, failure.status, headers);
};
