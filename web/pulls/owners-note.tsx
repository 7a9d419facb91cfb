import type { FileEntry } from "../../src/content/files/entry.ts";
import type { Call } from "../../src/http/route.ts";
import type { OwnersProblem } from "../../src/pulls/review/owners.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { Notice } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { pullWords } from "./words/index.ts";

/** Which parts of a CODEOWNERS file are ignored (contract pulls.md 13); `null` when it is valid. */
export async function ownersNote({ codeOwners }: WebServices, call: Call, file: FileEntry) {
  if (file.kind !== "file") return null;
  const problems = await codeOwners.problems(seenRepo(call), file.oid);
  return problems.length === 0 ? null : <OwnersProblems problems={problems} />;
}

function OwnersProblems({ problems }: { problems: readonly OwnersProblem[] }) {
  const t = useWords(pullWords);
  return (
    <Notice kind="warning">
      <p>{t("ownersPassedOver")}</p>
      <ul>
        {problems.map((problem) => (
          <li>
            <a href={`#L${problem.line}`}>
              {problem.why === "unknown-owner"
                ? t("owners-unknown-owner", { line: String(problem.line), name: problem.owner })
                : t(`owners-${problem.why}`, { line: String(problem.line) })}
            </a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
