import { segments } from "../../src/kernel/url-path.ts";
import type { RecentBranch } from "../../src/pulls/recent-branches.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { Notice } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { homeOf } from "../repos/frame.ts";
import { pullWords } from "./words/index.ts";

/** Branches the viewer pushed recently, with links to open a pull request; `null`: none. */
export function recentBranchNotes({ recentBranches }: WebServices, seen: SeenRepo) {
  const found = recentBranches.of(seen);
  if (found.length === 0) return null;
  return found.map((each) => <RecentBranchNote seen={seen} recent={each} />);
}

function RecentBranchNote({ seen, recent }: { seen: SeenRepo; recent: RecentBranch }) {
  const t = useWords(pullWords);
  const { at, branch, home } = recent;
  const isHere = home.repo.id === seen.repo.id;
  const name = isHere ? branch : `${home.owner.login}/${home.repo.name}:${branch}`;
  return (
    <Notice kind="info">
      <p class="row">
        <span>
          {t.jsx("youPushed", {
            branch: <a href={homeOf(home, `src/branch/${segments(branch)}`)}>{name}</a>,
            time: <Time at={at} />,
          })}
        </span>
        <a class="btn btn-small btn-primary" href={homeOf(home, `pulls/new/${segments(branch)}`)}>
          {t("newPull")}
        </a>
      </p>
    </Notice>
  );
}
