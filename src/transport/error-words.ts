import type { ErrorWords } from "../http/error-words.ts";

/** Messages for refused git clients (contract git-content.md 12.2). */
export const transportErrorWords: ErrorWords = {
  "git.repository-missing": "Repository not found",
  "git.no-such-service": "no such service",
  "git.file-missing": "Not found",
  "git.wrong-content-type": "wrong content type",
  "git.no-repository-named": "no repository named",
  "git.mirror": "mirror repository is read-only",
  "git.archived":
    "This repo is archived. You can view files and clone it, but cannot push or open issues/pull-requests.",
  "git.wiki-disabled": "repository wiki is disabled",
  "git.password-change-required": "change the password in the browser first",
  "git.two-factor-required": "set up two-factor authentication in the browser first",
  "git.account-disabled": "Your account is disabled.",
  "git.push-create-disabled": "Push to create is not enabled for users.",
  "git.push-create-disabled-in-organizations": "Push to create is not enabled for organizations.",
  "git.scope-missing": ({ level }) => `token does not have the scope ${level}:repository`,
};
