import { Tabs } from "../components/navigation.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { RepoSettings } from "../repos/settings-frame.tsx";
import { lfsWords } from "./words/index.ts";

export const PAGE = "settings/lfs";

export type LfsTab = "files" | "pointers" | "locks";

export interface LfsPageProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
}

/** A page about the large files of a repository. @param tab absent: it belongs to none of them */
export function LfsFrame({ children, repo, shell, tab }: LfsPageProps & { tab?: LfsTab; children: Children }) {
  const t = useWords(lfsWords);
  const base = repoHref(repo, PAGE);
  return (
    <RepoSettings shell={shell} repo={repo} section="lfs" title={t("largeFiles")}>
      <Tabs
        label={t("largeFiles")}
        tabs={[
          { label: t("files"), href: base, current: tab === "files" },
          { label: t("pointers"), href: `${base}/pointers`, current: tab === "pointers" },
          { label: t("locks"), href: `${base}/locks`, current: tab === "locks" },
        ]}
      />
      {children}
    </RepoSettings>
  );
}

/** An abbreviated id, shown in full on hover. */
export function ShortOid({ oid }: { oid: string }) {
  return (
    <code class="mono" title={oid}>
      {oid.slice(0, 16)}
    </code>
  );
}
