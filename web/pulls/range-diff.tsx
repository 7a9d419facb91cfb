import type { PatchLine, RangeDiffPair } from "../../src/git/range-diff/range-diff.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { param } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { readsPulls } from "../../src/pulls/access.ts";
import { seenPull } from "../../src/pulls/call.ts";
import type { WebServices } from "../area.ts";
import { Badge, Card, type Tone } from "../components/surface.tsx";
import { Sha } from "../content/commit-line.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { show } from "../visit.ts";
import { PullPage, type PullPageProps } from "./head.tsx";
import { frameOf } from "./shown.ts";
import { pullWords } from "./words/index.ts";

/** Compares two versions of a pull request commit by commit. */
export function rangeDiffPages(services: WebServices): Route[] {
  return [
    {
      method: "GET",
      surface: "page",
      access: readsPulls,
      path: "/:owner/:repo/pulls/:index/range-diff/:range",
      handle: (call) => rangeDiff(services, call),
    },
  ];
}

async function rangeDiff(services: WebServices, call: Call): Promise<Response> {
  const item = seenPull(call, services.pulls);
  const [, from, to] = /^([0-9a-f]{40,64})\.\.([0-9a-f]{40,64})$/.exec(param(call, "range")) ?? [];
  if (!from || !to) throw new NotFound();
  const [frame, pairs] = await Promise.all([
    frameOf(services, call, item),
    services.pullVersions.rangeDiff(item, from, to),
  ]);
  return show(call, <RangeDiffPage {...frame} from={from} to={to} pairs={pairs} />);
}

export interface RangeDiffProps extends PullPageProps {
  readonly from: string;
  readonly to: string;
  /** undefined: there are too many commits. */
  readonly pairs: readonly RangeDiffPair[] | undefined;
}

/** `GET {W}/pulls/{index}/range-diff/{from}..{to}`. */
export function RangeDiffPage(props: RangeDiffProps) {
  const { from, pairs, repo, to } = props;
  const t = useWords(pullWords);
  const ends = {
    from: <Sha repo={repo} sha={from} />,
    to: <Sha repo={repo} sha={to} />,
  };
  return (
    <PullPage {...props} tab="commits">
      <Card title={t("versions")} id="versions">
        <p>{t.jsx("versionsOf", ends)}</p>
        <p class="muted">{pairs ? t("versionsIntro") : t("versionsTooLong")}</p>
      </Card>
      <ol class="plain stack">
        {pairs?.map((pair) => (
          <li>
            <Pair pair={pair} repo={repo} />
          </li>
        ))}
      </ol>
    </PullPage>
  );
}

const tones: Readonly<Record<RangeDiffPair["kind"], Tone>> = {
  same: "plain",
  changed: "warn",
  added: "ok",
  removed: "danger",
};

function Pair({ pair, repo }: { pair: RangeDiffPair; repo: RangeDiffProps["repo"] }) {
  const t = useWords(pullWords);
  const { kind, lines } = pair;
  const end = (of: RangeDiffPair["old"]): Children => (of ? <Sha repo={repo} sha={of.oid} /> : null);
  const head = (
    <>
      <Badge tone={tones[kind]}>{t(`pair-${kind}`)}</Badge> {end(pair.old)} {pair.old && pair.new ? "→" : null}{" "}
      {end(pair.new)} <strong>{(pair.new ?? pair.old)?.subject || t("noSubject")}</strong>
    </>
  );
  if (lines.length === 0)
    return (
      <div class="suggestion">
        <div class="row">{head}</div>
      </div>
    );
  return (
    <details class="review-thread" open>
      <summary>{head}</summary>
      <pre class="review-hunk" tabindex={0}>
        {lines.map((line) => (
          <Line line={line} />
        ))}
      </pre>
    </details>
  );
}

function Line({ line: { kind, text } }: { line: PatchLine }) {
  if (kind === "gap") return <span class="muted">⋯</span>;
  if (kind === "added") return <ins>{`+${text}`}</ins>;
  return kind === "removed" ? <del>{`-${text}`}</del> : <span>{` ${text}`}</span>;
}
