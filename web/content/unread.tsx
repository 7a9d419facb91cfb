import type { Principal } from "../../src/access/principal.ts";
import type { WebServices } from "../area.ts";
import { useWords } from "../language.ts";
import type { ErrorStatus } from "../layout/error-page.tsx";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoFrame } from "../repos/frame.ts";
import { siteWords } from "../words/index.ts";
import { repoAt } from "./missing.tsx";

/** Something that exists in a repository but could not be read. */
export interface UnreadInRepo {
  readonly repo: RepoFrameProps;
  /** What is wrong, and what can be done about it. */
  readonly about: string;
}

/** The error page of a repository whose content could not be read; its other pages may work. */
export function UnreadInRepoPage({
  shell,
  repo,
  about,
  status,
  requestId,
}: UnreadInRepo & { shell: Shell; status: ErrorStatus; requestId: string }) {
  const t = useWords(siteWords);
  const title = t(`error-${status}`);
  return (
    <RepoPage shell={shell} repo={repo} tab={undefined} title={[`${status} ${title}`]} noIndex>
      <div class="error-page">
        <h1>{title}</h1>
        <p>{about}</p>
        <p>{t.jsx("requestId", { id: <code>{requestId}</code> })}</p>
      </div>
    </RepoPage>
  );
}

/** The content of such a page; undefined when the URL is not in a repository that the visitor may see. */
export async function unreadInRepo(
  services: WebServices,
  principal: Principal,
  target: string,
  about: string,
): Promise<UnreadInRepo | undefined> {
  const { seen } = repoAt(services, principal, target);
  return seen && { repo: await repoFrame(services, seen), about };
}
