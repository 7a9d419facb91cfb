import { readCode } from "../../src/content/access.ts";
import type { FileEntry } from "../../src/content/files/entry.ts";
import { isBinary } from "../../src/content/texts.ts";
import { isOid } from "../../src/git/objects/types.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { linesOf } from "../../src/markup/code-lines.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import { useRowWords } from "../components/diff-file.tsx";
import { EXPANDED_LINES, gapRow } from "../components/diff-gaps.ts";
import { contextRows } from "../components/diff-rows.ts";
import type { DiffGap, DiffLine, DiffStyle } from "../components/diff-types.ts";
import { raw, trustHtml } from "../jsx/raw.ts";
import { refHref } from "../links.ts";
import { showPart } from "../visit.ts";
import { LARGEST_SHOWN_BYTES } from "./file-body.ts";
import { pathOf } from "./place.ts";
import type { Sources } from "./sources.ts";

/** Maximum lines of a gap that is shown whole. */
const MAX_LINES = 2_000;

/** More lines around a change (contract web.md 1.6): rows of a diff, for the page's script. */
export function excerptPages(sources: Sources): Route[] {
  return [
    {
      method: "GET",
      path: "/:owner/:repo/blob_excerpt/:sha",
      surface: "page",
      access: readCode,
      handle: (call) => {
        const seen = seenRepo(call);
        const repo = { owner: seen.owner.login, name: seen.repo.name };
        const hrefOf = (commit: string, path: string) => refHref(repo, "src", { kind: "commit", name: commit }, path);
        return excerptOf(sources, call, seen, hrefOf);
      },
    },
  ];
}

interface ExcerptRequest {
  readonly gap: DiffGap;
  readonly direction: string;
  readonly style: DiffStyle;
  readonly anchor: string;
  readonly form: string | undefined;
}

type Needed = Pick<Sources, "rendered" | "services">;

/**
 * The requested rows.
 * @param hrefOf the URL of a file at a commit
 * @throws NotFound
 */
export async function excerptOf(
  sources: Needed,
  call: Call,
  seen: SeenRepo,
  hrefOf: (commit: string, path: string) => string,
): Promise<Response> {
  const { services } = sources;
  const path = pathOf((call.query.get("path") ?? "").split("/"));
  const commit = services.revisions.byDigits(seen, param(call, "sha"));
  const file =
    commit === undefined
      ? blobNamed(sources, seen, param(call, "sha"), path)
      : services.files.entry(seen, commit, path);
  const bytes = file.kind === "file" ? services.files.bytes(seen, file.oid, LARGEST_SHOWN_BYTES) : undefined;
  if (!bytes || isBinary(bytes)) throw new NotFound();
  const { html, lineCount } = await sources.rendered.code(seen, file);
  const request = readRequest(call, lineCount);
  const { first, last, left } = shownLines(request);
  const lines = linesOf(html, first, last).map((line, at) => ({
    kind: "context" as const,
    text: "",
    html: line,
    oldNo: left + at,
    newNo: first + at,
  }));
  const href = commit === undefined ? "" : `${hrefOf(commit, path)}#L${first}`;
  return showPart(call, <Excerpt request={request} lines={lines} href={href} />);
}

/** The blob id takes the place of the commit, as elsewhere in URLs. */
function blobNamed({ services }: Needed, seen: SeenRepo, id: string, path: string): FileEntry {
  const oid = id.toLowerCase();
  const header = isOid(oid) && services.revisions.mayShow(seen, oid) ? services.files.header(seen, oid) : undefined;
  if (header?.type !== "blob") throw new NotFound();
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { path, name, kind: "file", isExecutable: false, oid, sizeBytes: header.sizeBytes };
}

function readRequest(call: Call, lineCount: number): ExcerptRequest {
  const number = (name: string) => {
    const value = Number(call.query.get(name) ?? 0);
    return Number.isSafeInteger(value) && value > 0 ? Math.min(value, lineCount + 1_000_000) : 0;
  };
  const lastRight = Math.min(number("last_right"), lineCount);
  const right = Math.min(number("right") || lineCount + 1, lineCount + 1);
  const [lastLeft, left] = [number("last_left"), number("left")];
  const anchor = call.query.get("anchor") ?? "";
  const form = call.query.get("form") ?? "";
  return {
    gap: { lastLeft, lastRight, right, left: left || lastLeft + right - lastRight, isLast: right > lineCount },
    direction: call.query.get("direction") ?? "",
    style: call.query.get("style") === "split" ? "split" : "unified",
    anchor: /^[\w-]{1,80}$/.test(anchor) ? anchor : "diff-",
    form: /^[\w-]{1,80}$/.test(form) ? form : undefined,
  };
}

/** Which lines of the new side to show, and the number of the first one on the old side. */
function shownLines({ direction, gap }: ExcerptRequest): { first: number; last: number; left: number } {
  const { lastLeft, lastRight, left, right } = gap;
  const size = direction === "up" || direction === "down" ? EXPANDED_LINES : MAX_LINES;
  if (direction === "up") {
    const first = Math.max(lastRight + 1, right - size);
    return { first, last: right - 1, left: left - (right - first) };
  }
  return { first: lastRight + 1, last: Math.min(right - 1, lastRight + size), left: lastLeft + 1 };
}

/** The rest of the gap after those lines; undefined: none. */
function leftOf(gap: DiffGap, direction: string, count: number): DiffGap | undefined {
  const rest =
    direction === "up"
      ? { ...gap, left: gap.left - count, right: gap.right - count }
      : { ...gap, lastLeft: gap.lastLeft + count, lastRight: gap.lastRight + count };
  return rest.right - rest.lastRight > 1 ? rest : undefined;
}

function Excerpt({ request, lines, href }: { request: ExcerptRequest; lines: readonly DiffLine[]; href: string }) {
  const { anchor, direction, form, gap, style } = request;
  const words = useRowWords(href);
  const rest = leftOf(gap, direction, lines.length);
  const row = rest ? gapRow(rest, style, words, "") : "";
  const rows = contextRows(lines, style, anchor, words, form === undefined ? undefined : { form, under: new Map() });
  return <>{raw(trustHtml(direction === "up" ? row + rows : rows + row))}</>;
}
