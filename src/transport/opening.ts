import type { Core } from "../core.ts";
import { contentSubject } from "../quotas/subjects.ts";
import type { Services } from "../services.ts";
import { GitAccess } from "./access.ts";
import { FetchService } from "./fetches.ts";
import { PushAdmission } from "./push-admission.ts";
import { PushCreation } from "./push-creation.ts";
import { type PushOptions, PushService } from "./pushes.ts";
import { RefsFor } from "./refs-for.ts";

declare module "../services.ts" {
  interface Services {
    readonly gitAccess: GitAccess;
    readonly pushes: PushService;
    readonly fetches: FetchService;
    /** Handles pushes that request pull requests. */
    readonly refsFor: RefsFor;
  }
}

export function openTransport({ config, crash, live, log, messages, pool }: Core, services: Services) {
  const { authenticator, folders, identity, organizations, pushRules, quotas } = services;
  const { refs, repoRegistration, repoRemoval, repos, storage } = services;
  const refsFor = new RefsFor(refs);
  const admission = new PushAdmission(authenticator, repos, folders, refs, pushRules, refsFor, pool, messages, crash);
  const newOnes = {
    newArePrivate: config["git.push_create_private"],
    defaultBranch: config["repository.default_branch"],
  };
  const creation = new PushCreation(repos, repoRegistration, repoRemoval, folders, newOnes, log);
  const options: PushOptions = {
    maxPackBytes: config["git.max_push_mib"] * 2 ** 20,
    maxObjectBytes: config["git.max_object_mib"] * 2 ** 20,
    maxObjects: config["git.max_objects"],
    accepted: config["git.accept_zero_padded_modes"] ? ["zeroPaddedFilemode"] : [],
    maxRefChanges: config["git.max_ref_changes"],
    maxAtomicRefChanges: config["git.max_atomic_ref_changes"],
    concurrentPerRepo: config["git.concurrent_pushes"],
    roomFor: ({ seen: { owner, repo }, folder }) =>
      quotas.room(owner, folder.kind === "wiki" ? "size:assets:wiki" : contentSubject(repo.isPrivate)),
  };
  const pushes = new PushService({
    admission,
    creation,
    live,
    log,
    messages,
    options,
    pool,
    refs,
    refsFor,
    rules: pushRules,
    storage,
  });
  const fetches = new FetchService(refs, storage, pool, config["repository.default_branch"], log);
  const gitAccess = new GitAccess(identity, repos, folders, organizations, {
    requireSignin: config.require_signin,
    pushCreate: config["git.push_create"],
  });
  return { fetches, gitAccess, pushes, refsFor };
}
